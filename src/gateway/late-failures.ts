// Messages that a platform accepted and reports later as undelivered, such as WhatsApp does after 24 hours of silence.
import { Turns } from '../base/turns.ts';
import type { Undelivered } from '../platforms/platform.ts';
import { Recent } from '../platforms/recent.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';

export interface LateFailuresParts {
  readonly store: Pick<Store, 'outbox'>;
  /** Marks the message, which counts as sent until then, and informs the owners: both or neither. */
  readonly onFailed: (row: OutgoingMessage, problem: string) => Promise<void>;
}

const REMEMBERED = 1000;

export class LateFailures {
  readonly #parts: LateFailuresParts;
  readonly #turns = new Turns();
  /**
   * A report may come before the id of its message is in the outbox. Nothing is lost if the process dies meanwhile: such a
   * message was not marked as sent, so it is sent again, and fails again.
   */
  readonly #reports = new Recent<string>(REMEMBERED);

  constructor(parts: LateFailuresParts) {
    this.#parts = parts;
  }

  /** Resolves when it is written down. Repeats change nothing. */
  async report(platform: string, { messageId, problem }: Undelivered): Promise<void> {
    const { store } = this.#parts;
    this.#reports.set(keyOf(platform, messageId), problem);
    const row = await store.outbox.findSent(platform, messageId);
    if (row) await this.#fail(row, problem);
  }

  /** The message was just marked as sent; if a report came first, it fails, and this returns why. */
  async sent(row: OutgoingMessage, ids: readonly string[]): Promise<string | undefined> {
    const problem = ids
      .map(id => this.#reports.get(keyOf(row.platform, id)))
      .find(each => each !== undefined);
    if (problem !== undefined) await this.#fail(row, problem);
    return problem;
  }

  /** One after the other, so that each message and each cause is announced once. */
  #fail({ seq, platform }: OutgoingMessage, problem: string): Promise<void> {
    const { store, onFailed } = this.#parts;
    return this.#turns.in(platform, async () => {
      const row = await store.outbox.find(seq);
      if (row?.state === 'sent') await onFailed(row, problem);
    });
  }
}

function keyOf(platform: string, messageId: string): string {
  return JSON.stringify([platform, messageId]);
}
