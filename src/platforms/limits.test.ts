// Who waits for a limit, and who is told of it.
import { expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { HermesError } from '../base/errors.ts';
import { type LimitFault, Limits } from './limits.ts';

const limited: LimitFault = (retryAfterMs, { details }) =>
  new HermesError('UNAVAILABLE_PLATFORM', 'wait', { details: { ...details, retryAfterMs } });

/** Time passes only by waiting. */
function patientClock(): Clock & { passed: number } {
  const clock = {
    passed: 0,
    now: () => clock.passed,
    monotonic: () => clock.passed,
    after(ms: number, fire: () => void) {
      clock.passed += ms;
      queueMicrotask(fire);
      return { cancel: () => undefined };
    },
  };
  return clock;
}

/** Refuses so many times, and asks for a wait of so long. */
function server(times: number, waitMs: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw limited(waitMs, { details: {} });
    return 'done';
  };
}

it('waits as long as it is asked to, a few times', async () => {
  const clock = patientClock();
  const limits = new Limits(clock, limited);
  expect(await limits.heed('a', { limit: 'wait' }, server(4, 2000))).toBe('done');
  expect(clock.passed).toBe(8000);
  await expect(limits.heed('b', { limit: 'wait' }, server(5, 2000))).rejects.toThrow('wait');
});

it('leaves a long wait to the caller, and what is stale by then too', async () => {
  const clock = patientClock();
  const limits = new Limits(clock, limited);
  await expect(limits.heed('a', { limit: 'wait' }, server(1, 60_001))).rejects.toThrow('wait');
  await expect(limits.heed('b', { limit: 'report' }, server(1, 1))).rejects.toThrow('wait');
  expect(clock.passed).toBe(0);
});

it('asks for the same chat not before, and for others at once', async () => {
  const clock = patientClock();
  const limits = new Limits(clock, limited);
  await expect(limits.heed('a', { limit: 'report' }, server(1, 3000))).rejects.toThrow('wait');
  await expect(limits.heed('a', { limit: 'report' }, server(0, 0))).rejects.toThrow('wait');
  expect(await limits.heed('b', { limit: 'report' }, server(0, 0))).toBe('done');
  expect(await limits.heed('a', { limit: 'wait' }, server(0, 0))).toBe('done');
  expect(clock.passed).toBe(3000);
});

it('ends its wait when the connection is closed, and says that it is a limit', async () => {
  const clock = { ...patientClock(), after: () => ({ cancel: () => undefined }) };
  const limits = new Limits(clock, limited);
  const closing = new AbortController();
  const work = limits.heed('a', { limit: 'wait', signal: closing.signal }, server(1, 3000));
  closing.abort();
  await expect(work).rejects.toMatchObject({ details: { retryAfterMs: 3000 } });
});
