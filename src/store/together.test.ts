import { expect, it } from 'vitest';
import { Together } from './together.ts';

/** A database of one list, whose transactions can be counted and fail as a whole. */
function database() {
  const rows: string[] = [];
  let commits = 0;
  const together = new Together<string[]>(async work => {
    const inside = [...rows];
    const value = await work(inside);
    rows.splice(0, rows.length, ...inside);
    commits++;
    return value;
  });
  const add = (row: string) =>
    together.do(async inside => {
      if (row === 'bad') throw new Error('refused');
      return inside.push(row);
    });
  return { rows, add, commits: () => commits };
}

it('commits at once what is asked for at the same time, in order', async () => {
  const { rows, add, commits } = database();
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(add))).toEqual([1, 2, 3, 4]);
  expect(rows).toEqual(['a', 'b', 'c', 'd']);
  expect(commits()).toBe(1);
});

it('lets one failure spoil nobody else', async () => {
  const { rows, add } = database();
  const results = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(add));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(rows).toEqual(['a', 'b', 'c']);
});
