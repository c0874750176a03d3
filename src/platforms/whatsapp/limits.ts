// WhatsApp's rate limits: who was told to wait does, and nobody else asks for the same chat before.
import { type Clock, sleep } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import { limited } from './faults.ts';

/** Longer waits are the caller's. */
const LONGEST_WAIT_MS = 60_000;
const MOST_WAITS = 5;

export class Limits {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #notBefore = new Map<string, number>();

  /** `signal` ends every wait. */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Tries again when the server allows. Throws UNAVAILABLE_PLATFORM with `retryAfterMs` where that is too far off. */
  async heed<T>(chatId: string, work: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits++) {
      await this.#untilAllowed(chatId);
      try {
        return await work();
      } catch (error) {
        const delayMs = isHermesError(error, 'UNAVAILABLE_PLATFORM')
          ? error.details['retryAfterMs']
          : undefined;
        if (typeof delayMs !== 'number') throw error;
        this.#notBefore.set(chatId, this.#clock.monotonic() + delayMs);
        if (waits >= MOST_WAITS || delayMs > LONGEST_WAIT_MS) throw error;
      }
    }
  }

  async #untilAllowed(chatId: string): Promise<void> {
    const until = this.#notBefore.get(chatId) ?? 0;
    const waitMs = until - this.#clock.monotonic();
    if (waitMs > 0) {
      const details = { reason: 'a limit of this chat still holds' };
      if (waitMs > LONGEST_WAIT_MS) throw limited(waitMs, { details });
      try {
        await sleep(this.#clock, waitMs, this.#signal);
      } catch (error) {
        // Only the signal ends it: the connection is closed.
        throw limited(waitMs, { details, ...(error instanceof Error ? { cause: error } : {}) });
      }
    }
    // Timers may be early by a little; what was waited for is over all the same.
    if (this.#notBefore.get(chatId) === until) this.#notBefore.delete(chatId);
  }
}
