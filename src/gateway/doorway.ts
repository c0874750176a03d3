// Where an event came from, as far as the door of the gateway needs it, and what is sent there without anybody waiting.
import type { Clock } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Connection } from '../platforms/platform.ts';
import { patiently } from './patience.ts';

export interface Doorway {
  readonly platform: string;
  readonly connection: Pick<Connection, 'send' | 'edit' | 'answerButton'>;
}

/**
 * A platform that is slow with strangers must not hold up the people: nobody waits. What cannot be sent just now is tried
 * again for some seconds, but for what may have arrived; what fails is logged.
 */
export class Aside {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  readonly #under = new Set<Promise<void>>();

  constructor({ log, clock }: { readonly log: Log; readonly clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  /** `what` names it for the log. `onLost`: it did not arrive. */
  do(what: string, work: () => Promise<unknown> | undefined, onLost?: () => void): void {
    const done = this.#attempt(what, work, onLost);
    this.#under.add(done);
    void done.then(() => this.#under.delete(done));
  }

  /** Resolves when all that has begun is over. */
  async settle(): Promise<void> {
    await Promise.all(this.#under);
  }

  /** Nothing is tried again any more. */
  close(): void {
    this.#closed.abort(new Error('the gateway stops'));
  }

  async #attempt(what: string, work: () => Promise<unknown> | undefined, onLost?: () => void): Promise<void> {
    try {
      const patience = { clock: this.#clock, signal: this.#closed.signal, repeats: 'never' } as const;
      await patiently(async () => work(), patience);
    } catch (error) {
      const { code, message, details } = asHermesError(error);
      this.#log.warn({ code, reason: message }, `${what} was not sent`);
      if (details['mayBeDelivered'] !== true) onLost?.();
    }
  }
}
