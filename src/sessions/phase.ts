// A step on an engine with a time limit, so that nothing waits for ever.
import { type Clock, sleep } from '../base/clock.ts';
import { HermesError } from '../base/errors.ts';

/** Longer than the phases of a creation together; drivers have limits of their own for each. */
export const LIMITS_MS = {
  create: 20 * 60_000,
  resume: 2 * 60_000,
  suspend: 2 * 60_000,
  destroy: 2 * 60_000,
  list: 60_000,
  look: 60_000,
} as const;

export type PhaseName = keyof typeof LIMITS_MS;

export interface PhaseOptions {
  readonly clock: Clock;
  /** What the step is done to, for the message. */
  readonly on: string;
  readonly signal?: AbortSignal;
}

export async function inPhase<T>(
  phase: PhaseName,
  { clock, on, signal }: PhaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const late = new AbortController();
  const failure = new HermesError(
    'UNAVAILABLE_BACKEND',
    `${on}: to ${phase} took longer than ${LIMITS_MS[phase] / 1000} s. Look at the engine; \`hermes doctor\` helps.`,
    { details: { phase, on } },
  );
  const timer = clock.after(LIMITS_MS[phase], () => late.abort(failure));
  const given = AbortSignal.any(signal ? [late.signal, signal] : [late.signal]);
  const aborted = Promise.withResolvers<never>();
  given.addEventListener('abort', () => aborted.reject(given.reason), { once: true });
  const working = work(given);
  try {
    return await Promise.race([working, aborted.promise]);
  } catch (error) {
    // Who clears up after it shall find all of it; a driver that does not listen to the signal is not waited for.
    if (given.aborted) await Promise.race([Promise.allSettled([working]), sleep(clock, GRACE_MS)]);
    throw error;
  } finally {
    timer.cancel();
  }
}

const GRACE_MS = 2000;
