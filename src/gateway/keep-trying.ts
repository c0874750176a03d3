// Work that is done once at least, and again after what may pass, until it is done or the signal says that it is too late.
import type { Clock } from '../base/clock.ts';
import { retry } from '../base/retry.ts';

const LONGEST_PAUSE_MS = 5000;

interface KeepTryingOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly mayPass: (error: unknown) => boolean;
}

export async function keepTrying<T>(
  work: () => Promise<T>,
  { clock, signal, mayPass }: KeepTryingOptions,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !mayPass(error)) throw error;
    const attempts = Number.POSITIVE_INFINITY;
    return retry(work, { clock, signal, mayPass, attempts, longestDelayMs: LONGEST_PAUSE_MS });
  }
}
