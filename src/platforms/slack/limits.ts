// Slack's rate limits: who was told to wait does, and nobody else asks for the same chat before.
import { type Clock, sleep } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import { limited } from './faults.ts';

/** Longer waits are the caller's. */
const LONGEST_WAIT_MS = 60_000;
const MOST_WAITS = 5;

export interface Heeding {
  /** `wait`: tried again when the server allows. `report`: thrown at once, for what is stale by then. */
  readonly limit: 'wait' | 'report';
  readonly signal?: AbortSignal;
}

export class Limits {
  readonly #clock: Clock;
  readonly #notBefore = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws UNAVAILABLE_PLATFORM with `retryAfterMs` where it does not wait. */
  async heed<T>(chatId: string, { limit, signal }: Heeding, work: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits++) {
      const mayWait = limit === 'wait' && waits < MOST_WAITS;
      await this.#untilAllowed(chatId, mayWait ? LONGEST_WAIT_MS : 0, signal);
      try {
        return await work();
      } catch (error) {
        const delayMs = isHermesError(error, 'UNAVAILABLE_PLATFORM')
          ? error.details['retryAfterMs']
          : undefined;
        if (typeof delayMs !== 'number') throw error;
        this.#notBefore.set(chatId, this.#clock.monotonic() + delayMs);
        if (!mayWait || delayMs > LONGEST_WAIT_MS) throw error;
      }
    }
  }

  async #untilAllowed(chatId: string, mostMs: number, signal: AbortSignal | undefined): Promise<void> {
    const until = this.#notBefore.get(chatId);
    if (until === undefined) return;
    const waitMs = until - this.#clock.monotonic();
    if (waitMs > 0) {
      const details = { reason: 'a limit of this chat still holds' };
      if (waitMs > mostMs) throw limited(waitMs, { details });
      try {
        await sleep(this.#clock, waitMs, signal);
      } catch (error) {
        // Only the signal ends it: the connection is closed.
        throw limited(waitMs, { details, ...(error instanceof Error ? { cause: error } : {}) });
      }
    }
    // Timers may be early by a little; what was waited for is over all the same.
    if (this.#notBefore.get(chatId) === until) this.#notBefore.delete(chatId);
  }
}
