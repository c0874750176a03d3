// Signal's rate limit, which is one for the whole account: who was told to wait does, and nobody else asks before.
import { type Clock, sleep } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import type { LimitHandling } from '../platform.ts';
import { limited } from './faults.ts';

/** Longer waits are the caller's. */
const LONGEST_WAIT_MS = 60_000;
const MOST_WAITS = 5;

export interface Heeding {
  /** `wait`: tried again when Signal allows. `report`: thrown at once. */
  readonly limit: LimitHandling;
  readonly signal?: AbortSignal;
}

export class Limit {
  readonly #clock: Clock;
  #notBefore = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws UNAVAILABLE_PLATFORM with `retryAfterMs` where it does not wait. */
  async heed<T>({ limit, signal }: Heeding, work: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits++) {
      const mayWait = limit === 'wait' && waits < MOST_WAITS;
      await this.#untilAllowed(mayWait ? LONGEST_WAIT_MS : 0, signal);
      try {
        return await work();
      } catch (error) {
        const isLimit = isHermesError(error, 'UNAVAILABLE_PLATFORM');
        const delayMs = isLimit ? error.details['retryAfterMs'] : undefined;
        if (typeof delayMs !== 'number') throw error;
        this.#notBefore = this.#clock.monotonic() + delayMs;
        if (!mayWait || delayMs > LONGEST_WAIT_MS) throw error;
      }
    }
  }

  async #untilAllowed(mostMs: number, signal: AbortSignal | undefined): Promise<void> {
    const until = this.#notBefore;
    const waitMs = until - this.#clock.monotonic();
    if (waitMs <= 0) return;
    const details = { reason: 'a limit of the account still holds' };
    if (waitMs > mostMs) throw limited(waitMs, { details });
    try {
      await sleep(this.#clock, waitMs, signal);
    } catch (error) {
      // Only the signal ends it: the connection is closed.
      throw limited(waitMs, { details, ...(error instanceof Error ? { cause: error } : {}) });
    }
    // Timers may be early by a little; what was waited for is over all the same.
    if (this.#notBefore === until) this.#notBefore = 0;
  }
}
