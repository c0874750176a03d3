import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { neverBack, sleep, systemClock } from './clock.ts';

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

describe('a wall clock that never goes back', () => {
  it('goes on when it is set back, and follows when it is set ahead', () => {
    const time = { wall: 1_000_000, monotonic: 5.25 };
    const now = neverBack({ wall: () => time.wall, monotonic: () => time.monotonic });
    const pass = (ms: number, setBy = 0): number => {
      time.monotonic += ms;
      time.wall += ms + setBy;
      return now();
    };
    expect(now()).toBe(1_000_000);
    expect(pass(10)).toBe(1_000_010);
    expect(pass(10, -3_600_000)).toBe(1_000_020);
    expect(pass(30_000)).toBe(1_030_020);
    expect(pass(10, 3_600_000)).toBe(1_030_030);
    expect(pass(0, 60_000)).toBe(1_090_030);
  });

  it('says whole milliseconds that never decrease', () => {
    let last = systemClock.now();
    for (let count = 0; count < 10_000; count++) {
      const next = systemClock.now();
      expect(Number.isInteger(next) && next >= last).toBe(true);
      last = next;
    }
    expect(Math.abs(last - Date.now())).toBeLessThan(60_000);
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
