// How much work something is, by the processor's time of this thread: what else the machine does is not in it. There are no
// limits in milliseconds, since machines differ; work is compared with other work in the same test.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';

const ROUNDS = 3;
/** Work that grows with the square is so many times as much for one whole as for all its parts. */
const PARTS = 16;
const MOST_TIMES = 5;
const OFTEN = 4;

function cpuMs(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Of each work, in turns: what disturbs one round disturbs all of them. */
function medians(...works: readonly (() => unknown)[]): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => works.map(cpuMs));
  return works.map(
    (_, at) => rounds.map(round => round[at] ?? 0).toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0,
  );
}

const megabyte = JSON.stringify(Array.from({ length: 60_000 }, (_, at) => ({ at, is: 'a' })));

/** Takes long enough for clocks that tick every few milliseconds. */
function reference(): void {
  for (let times = 0; times < 2; times++) JSON.parse(megabyte);
}

/** Work grows with the size and not with its square: a whole is not much more work than all its parts. */
export function expectLinear(size: number, work: (size: number) => unknown): void {
  const [parts = 0, whole = 0, base = 0] = medians(
    () => {
      for (let at = 0; at < PARTS; at++) work(size / PARTS);
    },
    () => work(size),
    reference,
  );
  expect(whole, `the whole, beside ${parts} ms for ${PARTS} parts`).toBeLessThan(MOST_TIMES * parts + base);
}

/** Work is not more than so many times other work. The clock ticks every few milliseconds: both are done often. */
export function expectAtMostTimes(
  mostTimes: number,
  work: () => unknown,
  other: () => unknown,
  what: string,
): void {
  const often = (times: number, one: () => unknown) => (): void => {
    for (let turn = 0; turn < times; turn++) one();
  };
  const [own = 0, most = 0] = medians(often(OFTEN, work), often(OFTEN * mostTimes, other));
  expect(own, `${what}, beside ${most} ms for ${mostTimes} times the other work`).toBeLessThanOrEqual(most);
}

/** The most expensive of many pieces of work first. */
export function byWork<T>(items: readonly T[], work: (item: T) => unknown): T[] {
  return items
    .map(item => ({ item, ms: cpuMs(() => work(item)) }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ item }) => item);
}

/** Work is not more than so many times what it takes to parse 2 MB of JSON. */
export function expectWork(work: () => unknown, mostTimes: number): void {
  const [own = 0, base = 0] = medians(work, reference);
  expect(own, `beside ${base} ms for 2 MB of JSON`).toBeLessThan(mostTimes * base);
}

/** The longest time, in milliseconds of the processor, for which work holds this thread before others have their turn. */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  let [isOver, longest] = [false, 0];
  const ended = (async () => {
    try {
      await work();
    } finally {
      isOver = true;
    }
  })();
  while (!isOver) {
    const start = process.threadCpuUsage();
    await setImmediate();
    const { user, system } = process.threadCpuUsage(start);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await ended;
  return longest;
}
