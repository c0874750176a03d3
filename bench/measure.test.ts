// Which cases of a benchmark run, in which order and how often. The clock of these cases is what they return.
import { expect, it } from 'vitest';
import { type Bench, defineBench, type Opened } from './bench.ts';
import { measure, PATIENCE } from './measure.ts';

const FOREVER = { isShort: false, budgetMs: 60_000 };

function sample(oursMs: number): { bench: Bench; opened: Opened; order: string[] } {
  const order: string[] = [];
  const bench = defineBench({
    ...{ title: 'Sample', rounds: 6, warmUp: 2 },
    cases: {
      bare: { name: 'bare' },
      ours: { name: 'ours', against: 'bare', limit: 2, isShort: true },
      long: { name: 'long', against: 'bare', limit: 2 },
    },
    open: () => Promise.reject(new Error('it is opened below')),
  });
  const takes = (name: string, ms: number) => ({ run: () => order.push(name), ownMs: () => ms });
  const runs = { bare: takes('bare', 1), ours: takes('ours', oursMs), long: takes('long', 1) };
  return { bench, opened: { runs, close: async () => {} }, order };
}

it('goes through all cases in every round, after rounds that do not count', async () => {
  const { bench, opened, order } = sample(1.4);
  const { cases } = await measure(bench, opened, FOREVER);
  expect(order).toEqual(Array.from({ length: 8 }, () => ['bare', 'ours', 'long']).flat());
  expect(cases['ours']).toMatchObject({ p50: 1.4, ratio: 1.4, rounds: 6 });
});

it('takes the marked cases and their references in a short run', async () => {
  const { bench, opened, order } = sample(2);
  await measure(bench, opened, { ...FOREVER, isShort: true });
  expect(new Set(order)).toEqual(new Set(['bare', 'ours']));
});

it.each([1.9, 2.5])(
  'measures for longer what is close to its limit (%d), and all of that decides',
  async ms => {
    const { bench, opened } = sample(ms);
    const { cases } = await measure(bench, opened, FOREVER);
    expect(cases['ours']).toMatchObject({ ratio: ms, rounds: 6 * PATIENCE });
  },
);

it('ends when its time is up, but not before the median means something', async () => {
  const { bench, opened } = sample(2.5);
  const { cases } = await measure(bench, opened, { isShort: false, budgetMs: 0 });
  expect(cases['ours']?.rounds).toBe(5);
});
