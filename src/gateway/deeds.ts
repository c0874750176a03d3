// What people do in their sandboxes themselves: with commands of the chat, with files, on a page. Where an owner has to agree,
// the owners get a card, and whoever waits is told.
import type { Deed } from '../agent/deed.ts';
import type { ApprovalEvent } from '../agent/tool-caller.ts';
import { asHermesError } from '../base/errors.ts';
import type { Session } from '../store/sessions.ts';
import type { Cards } from './cards.ts';
import type { Recipient } from './outgoing.ts';
import type { GatewayParts } from './parts.ts';

export interface DeedsParts {
  readonly parts: Pick<GatewayParts, 'perform' | 'world'>;
  readonly cards: Pick<Cards, 'tellWaiting' | 'settle'>;
  /** Nobody is waited for any longer. */
  readonly stopping: AbortSignal;
}

export interface DoneBy {
  /** Such as `telegram:123`. */
  readonly person: string;
  readonly signal?: AbortSignal;
  /** Whoever waits there is told; absent = they see it themselves. */
  readonly to?: Recipient;
}

export class Deeds {
  readonly #parts: DeedsParts;

  constructor(parts: DeedsParts) {
    this.#parts = parts;
  }

  /** What is not done by now is not done any more. */
  get isStopping(): boolean {
    return this.#parts.stopping.aborted;
  }

  /** Throws DENIED_ACTION, and what stands in the way of the sandbox and the work. */
  async perform<T>(session: Session, deed: Deed<T>, { person, signal, to }: DoneBy): Promise<T> {
    const { parts, cards, stopping } = this.#parts;
    const telling = new Set<Promise<void>>();
    const onApproval = (event: ApprovalEvent): void => {
      if (event.type === 'approval-settled') telling.add(this.#noted(cards.settle(event.id)));
      else if (to) telling.add(this.#noted(cards.tellWaiting(event.question, to)));
    };
    try {
      return await parts.perform(session, deed, {
        ...{ requester: person, onApproval },
        signal: signal ? AbortSignal.any([signal, stopping]) : stopping,
      });
    } finally {
      await Promise.all(telling);
    }
  }

  /** What was decided is decided, whether or not it could be shown. */
  async #noted(showing: Promise<void>): Promise<void> {
    try {
      await showing;
    } catch (error) {
      const { message } = asHermesError(error);
      this.#parts.parts.world.log.warn({ error: message }, 'what became of an approval could not be shown');
    }
  }
}
