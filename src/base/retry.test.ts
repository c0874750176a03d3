import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { retry } from './retry.ts';

/** Lets all promise reactions that are due run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function failing(times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw new Error(`failure, ${left} left`);
    return 'ok';
  };
}

describe('retry', () => {
  it('waits twice as long each time, between half and all of it', async () => {
    const clock = manualClock();
    const delays: number[] = [];
    const result = retry(failing(4), {
      clock,
      attempts: 5,
      firstDelayMs: 100,
      longestDelayMs: 300,
      mayPass: () => true,
      random: () => 0.999_999,
      onRetry: (_error, delayMs) => delays.push(Math.round(delayMs)),
    });
    for (let turn = 0; turn < 4; turn++) {
      await settle();
      clock.advance(300);
    }
    expect(await result).toBe('ok');
    expect(delays).toEqual([100, 200, 300, 300]);
  });

  it('gives the last error when the attempts are used up', async () => {
    const clock = manualClock();
    const result = retry(failing(9), { clock, attempts: 2, mayPass: () => true });
    const caught = result.catch((error: Error) => error.message);
    await settle();
    clock.advance(1_000);
    expect(await caught).toBe('failure, 7 left');
  });

  it('does not repeat what cannot pass', async () => {
    const result = retry(failing(1), { clock: manualClock(), attempts: 5, mayPass: () => false });
    await expect(result).rejects.toThrow('0 left');
  });

  it('waits as long as the other side asked for', async () => {
    const clock = manualClock();
    const result = retry(failing(1), { clock, attempts: 2, mayPass: () => 7_000 });
    await settle();
    expect(clock.pending()).toEqual([7_000]);
    clock.advance(7_000);
    expect(await result).toBe('ok');
  });

  it('stops waiting when cancelled', async () => {
    const clock = manualClock();
    const abort = new AbortController();
    const result = retry(failing(1), { clock, attempts: 2, mayPass: () => true, signal: abort.signal });
    const caught = result.catch((error: Error) => error.message);
    await settle();
    abort.abort(new Error('stop'));
    expect(await caught).toBe('stop');
    expect(clock.pending()).toEqual([]);
  });
});
