import { expect, it } from 'vitest';
import { RunQueue } from './run-queue.ts';

it('gives the longest waiting session its turn, one run a session and so many at once', () => {
  const queue = new RunQueue(2);
  queue.want('a', 5);
  queue.want('b', 3);
  queue.want('c', 4);
  queue.want('b', 9);
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['b', 'c', undefined]);
  queue.want('b', 1);
  queue.end('c');
  expect(queue.next()).toBe('a');
  queue.end('b');
  expect(queue.next()).toBe('b');
  expect(queue.waiting).toBe(0);
});

it('forgets a session that has nothing to run any more', () => {
  const queue = new RunQueue(1);
  queue.want('a', 1);
  queue.forget('a');
  expect(queue.next()).toBeUndefined();
});
