// The page of figures is what the last full check found, with the limits that are in the code now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loadBenches } from '../../bench/all.ts';
import type { Bench } from '../../bench/bench.ts';
import { readResults, renderPage } from '../../bench/page.ts';
import { verdicts } from '../../bench/results.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8');
const results = readResults();
let benches: ReadonlyMap<string, Bench>;
beforeAll(async () => {
  benches = await loadBenches();
});

it('docs/performance.md is current (`npm run generate` renders it from bench/results.json)', () => {
  expect(page).toBe(renderPage(benches, results));
});

it('every benchmark was measured, and every limit of the page was met', () => {
  const found = [...benches].map(([name, bench]) => {
    const result = results.benches[name];
    if (!result || 'notRun' in result) return [`${name}: not run`];
    const declared = [...Object.values(bench.cases).filter(({ limit }) => limit !== undefined)];
    const judged = verdicts(name, bench, result);
    const missing = declared.length + Object.keys(bench.figures ?? {}).length - judged.length;
    const missed = judged.filter(({ isMissed }) => isMissed).map(it => `${name}: ${it.name}: missed`);
    return missing === 0 ? missed : [...missed, `${name}: ${missing} limits not measured`];
  });
  expect(found.flat()).toEqual([]);
});

it('a limit that is missed says so on the page', () => {
  const [name, bench] = [...benches].find(([each]) => each === 'exec') ?? [];
  const slow = { p50: 9, p95: 9, p99: 9, rounds: 9, ratio: 99 };
  const cases = Object.fromEntries(Object.keys(bench?.cases ?? {}).map(id => [id, slow]));
  const changed = { ...results, benches: { ...results.benches, [name ?? '']: { cases, figures: {} } } };
  expect(renderPage(benches, changed)).toMatch(/one-shot ★ \| .* \| 99\.0 × \| ≤ [\d.]+ × \*\*missed\*\*/);
});

it('the short check has at least ten limits', () => {
  const short = [...benches.values()].flatMap(({ cases }) =>
    Object.values(cases).filter(({ isShort, limit }) => isShort && limit !== undefined),
  );
  expect(short.length).toBeGreaterThanOrEqual(10);
});
