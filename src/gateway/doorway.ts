// Where an event came from, as far as the door of the gateway needs it, and what is sent there without anybody waiting.
import { asHermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Connection } from '../platforms/platform.ts';

export interface Doorway {
  readonly platform: string;
  readonly connection: Pick<Connection, 'send' | 'edit' | 'answerButton'>;
}

/** A platform that is slow with strangers must not hold up the people: nobody waits, and what fails is logged. */
export class Aside {
  readonly #log: Log;
  readonly #under = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `what` names it for the log. */
  do(what: string, work: () => Promise<unknown> | undefined): void {
    const done = this.#attempt(what, work);
    this.#under.add(done);
    void done.then(() => this.#under.delete(done));
  }

  /** Resolves when all that has begun is over. */
  async settle(): Promise<void> {
    await Promise.all(this.#under);
  }

  async #attempt(what: string, work: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { code, message } = asHermesError(error);
      this.#log.warn({ code, reason: message }, `${what} was not sent`);
    }
  }
}
