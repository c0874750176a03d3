// What a run of benchmarks found, as it is kept in bench/results.json, and its comparison with the limits.
import { cpus, totalmem } from 'node:os';
import type { Bench } from './bench.ts';
import { percentile, type Rounds, ratioOf } from './statistics.ts';

export interface CaseResult {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** To the reference, the median of all rounds; absent for a reference. */
  readonly ratio?: number;
  readonly rounds: number;
}

export interface BenchResult {
  /** By the id of the case; cases that a short run left out are missing. */
  readonly cases: Readonly<Record<string, CaseResult>>;
  /** In MiB, by the id of the figure. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface NotRun {
  readonly notRun: string;
}

export interface Results {
  readonly day: string;
  readonly machine: string;
  readonly benches: Readonly<Record<string, BenchResult | NotRun>>;
}

export interface Verdict {
  readonly bench: string;
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly isMissed: boolean;
  /** On either side of the limit: a few rounds more could turn it over. */
  readonly isClose: boolean;
}

/** Of the limit. */
const CLOSE = 0.75;

export function caseResult(rounds: Rounds, reference: Rounds | undefined): CaseResult {
  const times = rounds.flat();
  const [p50, p95, p99] = [50, 95, 99].map(percent => rounded(percentile(times, percent)));
  const found = { p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0, rounds: rounds.length };
  return reference ? { ...found, ratio: rounded(ratioOf(rounds, reference)) } : found;
}

/** Every limit that was measured, kept or missed. What is not a number is a miss. */
export function verdicts(name: string, bench: Bench, result: BenchResult): Verdict[] {
  const ofCases = Object.entries(bench.cases).flatMap(([id, { name: title, limit }]) => {
    const found = result.cases[id];
    if (limit === undefined || !found) return [];
    const ratio = found.ratio ?? Number.NaN;
    const texts = { measured: `${digits(ratio)} ×`, limit: `≤ ${limit} ×` };
    return [
      { bench: name, name: title, ...texts, isMissed: !(ratio <= limit), isClose: !(ratio <= CLOSE * limit) },
    ];
  });
  const ofFigures = Object.entries(bench.figures ?? {}).flatMap(([id, { name: title, limitMiB }]) => {
    const mebibytes = result.figures[id];
    if (mebibytes === undefined) return [];
    const texts = { measured: `${digits(mebibytes)} MiB`, limit: `≤ ${limitMiB} MiB` };
    return [{ bench: name, name: title, ...texts, isMissed: !(mebibytes <= limitMiB), isClose: false }];
  });
  return [...ofCases, ...ofFigures];
}

export function digits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value >= 0.1 ? value.toFixed(2) : value.toFixed(3);
}

export function machineText(load: number): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const shared = load > cpus().length / 2 ? `, shared with other work (load ${load.toFixed(1)})` : '';
  return `${cpus().length} cores (${first?.model ?? 'unknown'}), ${memory} GiB, ${process.platform}, Node ${process.versions.node}${shared}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
