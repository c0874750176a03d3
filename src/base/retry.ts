// Repeats an idempotent call with growing pauses. Never for anything that has started a command (P10).
import { type Clock, sleep } from './clock.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** How often the call is made at most, the first time included. */
  readonly attempts: number;
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
  readonly signal?: AbortSignal;
  /** Whether this failure may pass by itself; a number is the delay in ms that the other side asked for. */
  readonly mayPass: (error: unknown) => boolean | number;
  readonly onRetry?: (error: unknown, delayMs: number, attempt: number) => void;
  /** 0 ≤ x < 1; spreads callers that failed together. */
  readonly random?: () => number;
}

export async function retry<T>(call: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await call(attempt);
    } catch (error) {
      const verdict = options.mayPass(error);
      if (verdict === false || attempt >= options.attempts) throw error;
      const delayMs = typeof verdict === 'number' ? verdict : backOff(attempt, options);
      options.onRetry?.(error, delayMs, attempt);
      await sleep(options.clock, delayMs, options.signal);
    }
  }
}

/** Doubles with every attempt, up to the longest, and takes between half and all of that. */
function backOff(attempt: number, options: RetryOptions): number {
  const { firstDelayMs = 200, longestDelayMs = 30_000, random = Math.random } = options;
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return full * (0.5 + random() / 2);
}
