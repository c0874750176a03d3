// Calls a platform again that could not do something just now, for what stands in no outbox: a few times, within seconds.
import type { Clock } from '../base/clock.ts';
import { isHermesError } from '../base/errors.ts';
import { retry } from '../base/retry.ts';

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 1000;
/** Whoever asks for more is not waited for. */
const LONGEST_ASKED_MS = 60_000;

export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether it is called again when it may have arrived all the same. */
  readonly repeats: 'never' | 'harmless';
}

/** Throws what the last try threw. */
export function patiently<T>(call: () => Promise<T>, { clock, signal, repeats }: Patience): Promise<T> {
  return retry(call, {
    ...{ clock, signal, attempts: ATTEMPTS, firstDelayMs: FIRST_DELAY_MS },
    mayPass(error) {
      if (!isHermesError(error, 'UNAVAILABLE_PLATFORM')) return false;
      const { retryAfterMs, mayBeDelivered } = error.details;
      if (mayBeDelivered === true && repeats === 'never') return false;
      if (typeof retryAfterMs !== 'number') return true;
      return retryAfterMs <= LONGEST_ASKED_MS ? retryAfterMs : false;
    },
  });
}
