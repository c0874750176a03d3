// The table that a benchmark prints.
import picocolors from 'picocolors';
import { renderTable } from '../src/cli/table.ts';
import type { Measurement } from './bench.ts';

export function report(measurements: readonly Measurement[], columns: number): string {
  const head = ['case', 'p50 ms', 'p95', 'p99', 'ratio', 'extra ms', 'limit'];
  const rows = measurements.map(one => [
    one.name,
    digits(one.p50),
    digits(one.p95),
    digits(one.p99),
    one.ratio === undefined ? 'reference' : `${digits(one.ratio)} ×`,
    one.extraMs === undefined ? '' : digits(one.extraMs),
    verdict(one),
  ]);
  return renderTable(head, rows, { colors: picocolors, columns });
}

function verdict({ limit, withinLimit }: Measurement): string {
  if (limit === undefined) return '';
  const slowest = 'ratio' in limit || limit.p99Ms === undefined ? '' : `, p99 ≤ ${limit.p99Ms} ms`;
  const bound = 'ratio' in limit ? `≤ ${limit.ratio} ×` : `≤ +${limit.extraMs} ms${slowest}`;
  return withinLimit ? `${bound} ok` : `${bound} MISSED`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
