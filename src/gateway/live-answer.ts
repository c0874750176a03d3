// An answer while it is being written: one message that is edited at the platform's pace. Losing any of it does no harm:
// what counts is the row of the outbox that makes it whole in the end (P12).
import type { Timer } from '../base/clock.ts';
import { asHermesError, isHermesError } from '../base/errors.ts';
import { answerBodies, UNKNOWN_PLATFORM } from './answer-bodies.ts';
import type { Delivery } from './delivery.ts';
import type { Link } from './links.ts';
import type { Recipient } from './outgoing.ts';
import type { GatewayWorld } from './parts.ts';

/** An answer that is whole by then is sent once and not edited. */
const FIRST_MS = 400;
/** Nobody has to see that an answer is being written that is there by then. */
const FIRST_TYPING_MS = 800;
/** Platforms stop showing it after some seconds. */
const TYPING_MS = 4000;

export interface LiveAnswerParts {
  readonly world: Pick<GatewayWorld, 'clock' | 'log' | 'redact'>;
  readonly delivery: Delivery;
  readonly link: () => Link | undefined;
  readonly to: Recipient;
}

export class LiveAnswer {
  readonly #parts: LiveAnswerParts;
  #text = '';
  #status = '';
  #shown = '';
  /** The row of the outbox, as soon as it is written. */
  #row: number | undefined;
  #messageId: string | undefined;
  #timer: Timer | undefined;
  #typing: Timer | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;
  #isHeld = false;

  constructor(parts: LiveAnswerParts) {
    this.#parts = parts;
    this.#typeAfter(FIRST_TYPING_MS);
  }

  /** What the model has written so far, and is not part of the answer once tools have run. */
  get text(): string {
    return this.#text;
  }

  append(delta: string): void {
    this.#text += delta;
    this.#later();
  }

  /** What is being done meanwhile; empty = nothing to say. */
  doing(status: string): void {
    this.#status = status;
    if (this.#text !== '' && status !== '' && !this.#text.endsWith('\n\n')) this.#text += '\n\n';
    this.#later();
  }

  /**
   * What was written so far is a message of its own, whole; then nothing is shown, not even that somebody works, until
   * `goOn`: the person is asked something.
   */
  async hold(): Promise<void> {
    const { delivery, to, link } = this.#parts;
    this.#isHeld = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#typing?.cancel();
    await this.#working;
    const text = this.#text.trim();
    if (text === '') return;
    const live = this.#row;
    [this.#text, this.#shown, this.#row, this.#messageId] = ['', '', undefined, undefined];
    const { redact } = this.#parts.world;
    const capabilities = link()?.capabilities ?? UNKNOWN_PLATFORM;
    await delivery.send(to, ...answerBodies(text, { capabilities, live, redact }));
  }

  goOn(): void {
    this.#isHeld = false;
    if (this.#isClosed) return;
    this.#showTyping();
    this.#later();
  }

  /** Shows no more; returns the row to be made whole, if there is one. */
  async close(): Promise<number | undefined> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#typing?.cancel();
    await this.#working;
    return this.#row;
  }

  #later(): void {
    const link = this.#parts.link();
    if (this.#isClosed || this.#isHeld || this.#timer || this.#working || !link?.capabilities.edits) return;
    const { editEveryMs } = link.capabilities;
    this.#arm(this.#row === undefined ? Math.min(FIRST_MS, editEveryMs) : editEveryMs);
  }

  #arm(delayMs: number): void {
    this.#timer = this.#parts.world.clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#working = this.#show().then(
        waitMs => {
          this.#working = undefined;
          if (this.#isClosed || this.#isHeld) return;
          if (waitMs > 0) this.#arm(waitMs);
          else if (this.#view() !== this.#shown) this.#later();
        },
        error => {
          this.#working = undefined;
          this.#parts.world.log.warn({ error: asHermesError(error).message }, 'a live answer was not shown');
        },
      );
    });
  }

  /** Returns how long the platform wants to be left alone. */
  async #show(): Promise<number> {
    const link = this.#parts.link();
    const view = this.#view();
    if (!link?.connection.edit || view === '' || view === this.#shown) return 0;
    if (this.#row === undefined) {
      await this.#begin(view);
      return 0;
    }
    if (this.#messageId === undefined) return 0;
    try {
      await link.connection.edit(this.#parts.to.address.chat, this.#messageId, { text: view });
      this.#shown = view;
      return 0;
    } catch (error) {
      this.#parts.world.log.debug({ error: asHermesError(error).message }, 'a live edit was not shown');
      const asked = isHermesError(error) ? error.details['retryAfterMs'] : undefined;
      return typeof asked === 'number' ? asked : link.capabilities.editEveryMs;
    }
  }

  async #begin(view: string): Promise<void> {
    const { seq, outcome } = await this.#parts.delivery.sendWatched(this.#parts.to, {
      kind: 'live',
      text: view,
    });
    this.#row = seq;
    // The chat may be held up by what came before; the end of the answer does not wait for that.
    void outcome.then(came => {
      if (came.kind !== 'sent' || this.#row !== seq) return;
      this.#messageId = came.ids.at(-1);
      this.#shown = view;
      this.#later();
    });
  }

  #view(): string {
    const { redact } = this.#parts.world;
    const { maxText } = this.#parts.link()?.capabilities ?? { maxText: 1000 };
    const whole = redact([this.#text.trimEnd(), this.#status].filter(Boolean).join('\n\n'));
    if (whole === '') return '';
    const room = maxText - 10;
    return `${whole.length <= room ? whole : `…${whole.slice(1 - room).toWellFormed()}`} …`;
  }

  #showTyping(): void {
    const { world, to, link } = this.#parts;
    const connection = link()?.connection;
    connection
      ?.typing?.(to.address.chat)
      .catch(error => world.log.debug({ error: asHermesError(error).message }, 'typing was not shown'));
    this.#typeAfter(TYPING_MS);
  }

  #typeAfter(delayMs: number): void {
    this.#typing = this.#parts.world.clock.after(delayMs, () => {
      if (!this.#isClosed) this.#showTyping();
    });
  }
}
