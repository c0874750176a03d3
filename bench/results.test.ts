// A miss is a miss: how results are compared with limits.
import { describe, expect, it } from 'vitest';
import { defineBench } from './bench.ts';
import { type BenchResult, caseResult, verdicts } from './results.ts';

const bench = defineBench({
  title: 'Sample',
  rounds: 1,
  cases: {
    bare: { name: 'bare' },
    ours: { name: 'ours', against: 'bare', limit: 2 },
    free: { name: 'free', against: 'bare' },
  },
  figures: { heap: { name: 'heap', limitMiB: 100 } },
  open: () => Promise.reject(new Error('it is not opened')),
});
const times = { p50: 1, p95: 1, p99: 1, rounds: 1 };
const judge = (ratio: number | undefined, heap: number): boolean[] => {
  const ours = ratio === undefined ? times : { ...times, ratio };
  const result: BenchResult = {
    cases: { bare: times, ours, free: { ...times, ratio: 9 } },
    figures: { heap },
  };
  return verdicts('sample', bench, result).map(({ isMissed }) => isMissed);
};

describe('a limit', () => {
  it.each([
    ['is met at the limit itself', 2, 100, [false, false]],
    ['is missed just above', 2.01, 100.1, [true, true]],
    ['is missed when nothing was measured', undefined, Number.NaN, [true, true]],
    ['is missed when the reference took no time', Number.POSITIVE_INFINITY, 1, [true, false]],
  ])('%s', (_, ratio, heap, missed) => {
    expect(judge(ratio, heap)).toEqual(missed);
  });

  it('is not looked at for cases that did not run', () => {
    expect(verdicts('sample', bench, { cases: { bare: times }, figures: {} })).toEqual([]);
  });
});

it('summarises all rounds of a case, with the median ratio of the rounds', () => {
  const ours = [
    [1, 2, 3],
    [4, 4, 4],
    [300, 300, 300],
  ];
  const reference = [
    [1, 1, 1],
    [2, 2, 2],
    [100, 100, 100],
  ];
  expect(caseResult(ours, reference)).toEqual({ p50: 4, p95: 300, p99: 300, rounds: 3, ratio: 2 });
  expect(caseResult(reference, undefined)).toEqual({ p50: 2, p95: 100, p99: 100, rounds: 3 });
});
