// An owner's answer to the card about a stranger: by its buttons or, where there are none, by a command with its id.
import type { Log } from '../base/log.ts';
import type { PlatformEvent } from '../platforms/platform.ts';
import type { Store } from '../store/store.ts';
import type { Aside, Doorway } from './doorway.ts';
import { allowRequest, denyRequest } from './pairing.ts';
import { answeredText, type CardAnswer, GONE, NOT_OWNER, readCard } from './pairing-words.ts';
import type { Admitted } from './parts.ts';
import { personOf } from './person-name.ts';

export interface PairingAnswersOptions {
  readonly store: Store;
  readonly log: Log;
  readonly aside: Aside;
  /** Has been let in, or is kept out. */
  readonly onDecided: (person: string, answer: CardAnswer) => void;
}

export class PairingAnswers {
  readonly #options: PairingAnswersOptions;

  constructor(options: PairingAnswersOptions) {
    this.#options = options;
  }

  /** Whether the event was such an answer; if so, everything has been done about it. */
  take(event: PlatformEvent, from: Doorway, by: Admitted): Promise<boolean> {
    return event.kind === 'button' ? this.#button(event, from, by) : this.#command(event, from, by);
  }

  async #button(
    event: Extract<PlatformEvent, { kind: 'button' }>,
    { connection }: Doorway,
    by: Admitted,
  ): Promise<boolean> {
    const read = readCard(event.data);
    if (!read) return false;
    const isOwner = by.role === 'owner';
    const text = isOwner ? ((await this.#answer(read.id, read.answer, by)) ?? GONE) : NOT_OWNER;
    const { aside } = this.#options;
    aside.do('answer to a button', () => connection.answerButton?.(event.id, text));
    // The buttons go as well: nobody can press them again.
    if (isOwner) aside.do('card', () => connection.edit?.(event.chat, event.messageId, { text }));
    return true;
  }

  /** Other questions are answered by the same commands; those have other ids. */
  async #command(
    event: Extract<PlatformEvent, { kind: 'message' }>,
    { connection }: Doorway,
    by: Admitted,
  ): Promise<boolean> {
    const [, verb, id] = /^\/(approve|deny)\s+(\w+)\s*$/.exec(event.text) ?? [];
    if (id === undefined || by.role !== 'owner') return false;
    const text = await this.#answer(id, verb === 'approve' ? 'allow' : 'deny', by);
    if (text === undefined) return false;
    this.#options.aside.do('answer', () => connection.send(event.chat, { text }));
    return true;
  }

  /** What became of it, in words; undefined when there is no such request any more. */
  async #answer(id: string, answer: CardAnswer, by: Admitted): Promise<string | undefined> {
    const { store, log, onDecided } = this.#options;
    const pairing = await (answer === 'allow' ? allowRequest : denyRequest)(store, id, by.person);
    if (!pairing) return undefined;
    log.info({ person: personOf(pairing), actor: by.person }, `stranger: ${answer}`);
    onDecided(personOf(pairing), answer);
    return answeredText(pairing, answer);
  }
}
