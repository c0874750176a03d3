// What a run prints: a table for each benchmark, and at the very end what was missed and what was not run.
import picocolors from 'picocolors';
import { renderTable } from '../src/cli/table.ts';
import type { Bench } from './bench.ts';
import { type BenchResult, digits, type Verdict, verdicts } from './results.ts';

export function benchReport(name: string, bench: Bench, result: BenchResult, columns: number): string {
  const judged = new Map(verdicts(name, bench, result).map(it => [it.name, it]));
  const limitOf = (title: string): string => {
    const verdict = judged.get(title);
    return verdict ? `${verdict.limit} ${verdict.isMissed ? 'MISSED' : 'ok'}` : '';
  };
  const rows = Object.entries(bench.cases).flatMap(([id, { name: title }]) => {
    const found = result.cases[id];
    if (!found) return [];
    const ratio = found.ratio === undefined ? 'reference' : `${digits(found.ratio)} ×`;
    const times = [found.p50, found.p95, found.p99].map(digits);
    return [[title, ...times, ratio, String(found.rounds), limitOf(title)]];
  });
  const figures = Object.entries(bench.figures ?? {}).flatMap(([id, { name: title }]) => {
    const mebibytes = result.figures[id];
    return mebibytes === undefined ? [] : [[title, `${digits(mebibytes)} MiB`, limitOf(title)]];
  });
  const unit = bench.clock === 'cpu' ? 'median CPU ms' : 'median ms';
  const look = { colors: picocolors, columns };
  const tables = [
    { head: ['case', unit, 'p95', 'p99', 'median ratio', 'rounds', 'limit'], rows },
    { head: ['figure', 'memory', 'limit'], rows: figures },
  ];
  const shown = tables.filter(table => table.rows.length > 0);
  return [
    `${name}: ${bench.title}`,
    ...shown.map(({ head, rows: all }) => renderTable(head, all, look)),
  ].join('\n');
}

export interface Ending {
  readonly limits: readonly Verdict[];
  /** Benchmarks that ended without a result. */
  readonly failed: readonly string[];
  readonly notRun: readonly { readonly text: string; readonly isFailure: boolean }[];
}

/** The last lines of a run; `isGood` is false when a limit was missed or something that must run did not. */
export function endingReport({ limits, failed, notRun }: Ending): { text: string; isGood: boolean } {
  const missed = limits.filter(({ isMissed }) => isMissed);
  const lines = [
    `${limits.length - missed.length} of ${limits.length} limits met`,
    ...notRun.map(({ text, isFailure }) => `not run: ${text}${isFailure ? ' (required here: FAILED)' : ''}`),
    ...failed.map(text => `FAILED: ${text}`),
    ...missed.map(
      ({ bench, name, measured, limit }) => `MISSED: ${bench}: ${name}: ${measured}, limit ${limit}`,
    ),
  ];
  const isGood = missed.length + failed.length === 0 && !notRun.some(({ isFailure }) => isFailure);
  return { text: lines.join('\n'), isGood };
}
