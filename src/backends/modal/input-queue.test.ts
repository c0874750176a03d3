import { describe, expect, it } from 'vitest';
import { InputQueue } from './input-queue.ts';

/** A service that takes a call at a time, when it is let. */
function slowService() {
  const calls: Buffer[] = [];
  const turns: (() => void)[] = [];
  const state = { isClosed: false };
  const stream = new WritableStream<Uint8Array>({
    write: data =>
      new Promise<void>(resolve => {
        calls.push(Buffer.from(data));
        turns.push(resolve);
      }),
    close: () => {
      state.isClosed = true;
    },
  });
  return { stream, calls, state, answer: () => turns.shift()?.() };
}

describe('what is written to a process', () => {
  it('goes with the next call when one is on its way, in order, and then its end', async () => {
    const { stream, calls, state, answer } = slowService();
    const queue = new InputQueue(stream);
    for (const word of ['one ', 'two ', 'three']) await queue.write(Buffer.from(word));
    queue.end();
    await expect.poll(() => calls.length).toBe(1);
    answer();
    await expect.poll(() => calls.length).toBe(2);
    answer();
    await expect.poll(() => state.isClosed).toBe(true);
    expect(calls.map(String)).toEqual(['one ', 'two three']);
  });

  it('waits when too much is on its way, and is dropped when nobody takes it', async () => {
    const { stream, calls } = slowService();
    const queue = new InputQueue(stream);
    let isTaken = false;
    const writing = queue.write(Buffer.alloc(3 * 1024 * 1024)).then(() => {
      isTaken = true;
    });
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]).toHaveLength(1024 * 1024);
    expect(isTaken).toBe(false);
    queue.close();
    await writing;
    await queue.write(Buffer.from('more'));
  });
});
