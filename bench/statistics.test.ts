// How measured times become a median, a percentile and the ratio that a limit is compared with.
import { expect, it } from 'vitest';
import { median, percentile, ratioOf } from './statistics.ts';

it('takes a percentile that was really measured', () => {
  expect([50, 95, 99, 100].map(percent => percentile([40, 10, 30, 20], percent))).toEqual([20, 40, 40, 40]);
  expect(median([3])).toBe(3);
  expect(median([])).toBeNaN();
});

it('compares times of the same round, so that a slow moment of the machine cancels out', () => {
  const reference = [[10], [100], [11]];
  const subject = [[20], [200], [22]];
  expect(ratioOf(subject, reference)).toBe(2);
});

it('sees a slowdown of most rounds, however good the best one is', () => {
  const reference = Array.from({ length: 10 }, () => [60]);
  const subject = Array.from({ length: 10 }, (_, round) => (round === 0 ? [60] : [560]));
  expect(ratioOf(subject, reference)).toBeCloseTo(560 / 60);
});
