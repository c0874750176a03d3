import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { sleep, systemClock } from './clock.ts';

describe('sleep', () => {
  it('resolves when the time has passed and not before', async () => {
    const clock = manualClock();
    let done = false;
    const slept = sleep(clock, 100).then(() => {
      done = true;
    });
    clock.advance(99);
    await Promise.resolve();
    expect(done).toBe(false);
    clock.advance(1);
    await slept;
    expect(done).toBe(true);
  });

  it('rejects with the reason of an abort and disarms its timer', async () => {
    const clock = manualClock();
    const abort = new AbortController();
    const slept = sleep(clock, 100, abort.signal);
    abort.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
    expect(clock.pending()).toEqual([]);
  });

  it('does not start when already aborted', async () => {
    const clock = manualClock();
    await expect(sleep(clock, 100, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(clock.pending()).toEqual([]);
  });
});

describe('systemClock', () => {
  it('does not fire at once when the delay is longer than a timer can hold', async () => {
    let fired = false;
    const timer = systemClock.after(2 ** 32, () => {
      fired = true;
    });
    await sleep(systemClock, 5);
    timer.cancel();
    expect(fired).toBe(false);
  });

  it('fires, and not after a cancel', async () => {
    const fired: string[] = [];
    systemClock.after(1, () => fired.push('kept'));
    systemClock.after(1, () => fired.push('cancelled')).cancel();
    await sleep(systemClock, 10);
    expect(fired).toEqual(['kept']);
  });
});
