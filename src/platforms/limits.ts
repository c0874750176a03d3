// The rate limits of a server: who was told to wait does, and nobody else asks for the same chat before.
import { type Clock, sleep } from '../base/clock.ts';
import { type ErrorDetails, type HermesError, isHermesError } from '../base/errors.ts';
import type { LimitHandling } from './platform.ts';

/** Longer waits are the caller's. */
const LONGEST_WAIT_MS = 60_000;
const MOST_TRIES = 5;
/** Above it those that are over are forgotten. */
const MANY = 1000;

export interface Heeding {
  /** `wait`: tried again when the server allows. `report`: thrown at once. */
  readonly limit: LimitHandling;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** The platform's own error, with `retryAfterMs` in its details. */
export type LimitFault = (
  retryAfterMs: number,
  origin: { readonly details: ErrorDetails; readonly cause?: Error },
) => HermesError;

export class Limits {
  readonly #clock: Clock;
  readonly #fault: LimitFault;
  readonly #notBefore = new Map<string, number>();

  constructor(clock: Clock, fault: LimitFault) {
    this.#clock = clock;
    this.#fault = fault;
  }

  /** Throws UNAVAILABLE_PLATFORM with `retryAfterMs` where it does not wait. */
  async heed<T>(chatId: string, { limit, signal }: Heeding, work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      const mayWait = limit === 'wait' && tries < MOST_TRIES;
      await this.#untilAllowed(chatId, mayWait ? LONGEST_WAIT_MS : 0, signal);
      try {
        return await work();
      } catch (error) {
        const delayMs = isHermesError(error, 'UNAVAILABLE_PLATFORM')
          ? error.details['retryAfterMs']
          : undefined;
        if (typeof delayMs !== 'number') throw error;
        this.#note(chatId, this.#clock.monotonic() + delayMs);
        if (!mayWait || delayMs > LONGEST_WAIT_MS) throw error;
      }
    }
  }

  #note(chatId: string, until: number): void {
    this.#notBefore.set(chatId, until);
    if (this.#notBefore.size <= MANY) return;
    const now = this.#clock.monotonic();
    for (const [id, over] of this.#notBefore) if (over <= now) this.#notBefore.delete(id);
  }

  async #untilAllowed(chatId: string, mostMs: number, signal: AbortSignal | undefined): Promise<void> {
    const until = this.#notBefore.get(chatId);
    if (until === undefined) return;
    const waitMs = until - this.#clock.monotonic();
    if (waitMs > 0) {
      const details = { reason: 'a limit of this chat still holds' };
      if (waitMs > mostMs) throw this.#fault(waitMs, { details });
      try {
        await sleep(this.#clock, waitMs, signal);
      } catch (error) {
        // Only the signal ends it: the connection is closed.
        throw this.#fault(waitMs, { details, ...(error instanceof Error ? { cause: error } : {}) });
      }
    }
    // Timers may be early by a little; what was waited for is over all the same.
    if (this.#notBefore.get(chatId) === until) this.#notBefore.delete(chatId);
  }
}
