// That the model is tried again: one message, which is changed with every try and says in the end how it went.
import { Turns } from '../base/turns.ts';
import type { Delivery } from './delivery.ts';
import type { Recipient } from './outgoing.ts';

const ANSWERS = 'The model did not answer at first. It does now.';
const SILENT = 'The model did not answer.';

interface RetryNoteParts {
  readonly delivery: Pick<Delivery, 'send' | 'sendWatched'>;
  readonly to: Recipient;
  /** Whether the platform changes messages. Elsewhere only the first note is sent. */
  readonly edits: () => boolean;
}

export class RetryNote {
  readonly #parts: RetryNoteParts;
  /** What it says changes in the order in which it was said. */
  readonly #turns = new Turns();
  /** The row of the outbox. */
  #row: number | undefined;
  #isOpen = false;

  constructor(parts: RetryNoteParts) {
    this.#parts = parts;
  }

  /** Whether it says that somebody waits. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  waiting(text: string): Promise<void> {
    this.#isOpen = true;
    return this.#turns.in('', () => this.#show(text));
  }

  end(how: 'answers' | 'silent'): Promise<void> {
    this.#isOpen = false;
    return this.#turns.in('', async () => {
      if (this.#row === undefined) return;
      await this.#show(how === 'answers' ? ANSWERS : SILENT);
      this.#row = undefined;
    });
  }

  async #show(text: string): Promise<void> {
    const { delivery, to, edits } = this.#parts;
    if (this.#row !== undefined) {
      if (edits()) await delivery.send(to, { kind: 'edit', target: this.#row, text, isReport: true });
      return;
    }
    const first = edits()
      ? ({ kind: 'live', text, isReport: true } as const)
      : ({ kind: 'text', text, isReport: true } as const);
    this.#row = (await delivery.sendWatched(to, first)).seq;
  }
}
