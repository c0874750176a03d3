// The bookkeeping of connections, with connections that are only counted.
import { expect, it } from 'vitest';
import type { Master } from './master.ts';
import { Masters, type Slot } from './masters.ts';

function setUp() {
  const made: string[] = [];
  const ended: string[] = [];
  const connect = async (): Promise<Master> => {
    const socket = `m${made.length + 1}`;
    made.push(socket);
    return { socket, isAlive: async () => true, end: async () => void ended.push(socket) };
  };
  return { masters: new Masters(connect), made, ended };
}

async function take(masters: Masters, count: number): Promise<Slot[]> {
  return Promise.all(Array.from({ length: count }, () => masters.acquire('lane')));
}

it('makes one connection for many that ask at once', async () => {
  const { masters, made } = setUp();
  await take(masters, 8);
  expect(made).toEqual(['m1']);
});

it('makes further connections when one is full, and fills it again when there is room', async () => {
  const { masters, made } = setUp();
  const [first] = await take(masters, 9);
  expect(made).toEqual(['m1', 'm2']);
  first?.release();
  first?.release();
  expect((await masters.acquire('lane')).master.socket).toBe('m1');
});

it('has room for errands on a connection that is full of lanes', async () => {
  const { masters, made } = setUp();
  await take(masters, 8);
  await masters.acquire('errand');
  await masters.acquire('errand');
  expect(made).toEqual(['m1']);
});

it('learns from refusals how many sessions a server allows', async () => {
  const { masters, made } = setUp();
  const slots = await take(masters, 8);
  // The server allows three: five are refused, in whatever order.
  for (const slot of slots.slice(3)) {
    expect(slot.refuse()).toBe(true);
    slot.release();
  }
  slots[0]?.release();
  expect((await masters.acquire('errand')).master.socket).toBe('m1');
  expect((await masters.acquire('errand')).master.socket).toBe('m2');
  expect(made).toEqual(['m1', 'm2']);
});

it('tells a server that allows no session at all', async () => {
  const { masters } = setUp();
  expect((await masters.acquire('lane')).refuse()).toBe(false);
});

it('opens a new connection when the server still counts the last session, which has ended here', async () => {
  const { masters, ended } = setUp();
  const first = await masters.acquire('lane');
  first.confirm();
  first.release();
  const second = await masters.acquire('errand');
  expect(second.refuse()).toBe(true);
  second.release();
  expect((await masters.acquire('errand')).master.socket).toBe('m2');
  await masters.close();
  expect(ended).toEqual(['m1', 'm2']);
});

it('connects anew after a connection was lost', async () => {
  const { masters, made } = setUp();
  const slot = await masters.acquire('lane');
  slot.drop();
  slot.release();
  expect((await masters.acquire('lane')).master.socket).toBe('m2');
  expect(made).toEqual(['m1', 'm2']);
});

it('tells all that wait why there is no connection, and tries again for the next', async () => {
  let calls = 0;
  const masters = new Masters(async () => {
    calls++;
    throw new Error('refused');
  });
  const results = await Promise.allSettled([masters.acquire('lane'), masters.acquire('errand')]);
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected']);
  expect(calls).toBe(1);
  await expect(masters.acquire('lane')).rejects.toThrow('refused');
  expect(calls).toBe(2);
});

it('ends all connections, and only those that it has made', async () => {
  const { masters, ended } = setUp();
  await take(masters, 9);
  await masters.close();
  expect(ended).toEqual(['m1', 'm2']);
});
