// An owner's answer to the card about a stranger: by its buttons or, where there are none, by a command with its id.
import type { Log } from '../base/log.ts';
import type { PlatformEvent } from '../platforms/platform.ts';
import type { Store } from '../store/store.ts';
import { parseCommand } from './commands/command.ts';
import type { Aside, Doorway } from './doorway.ts';
import { allowRequest, denyRequest } from './pairing.ts';
import { answeredText, type CardAnswer, GONE, NOT_OWNER, REPLACED, readCard } from './pairing-words.ts';
import type { Admitted } from './parts.ts';
import { personOf } from './person-name.ts';
import type { RequestCards } from './request-cards.ts';

export interface PairingAnswersOptions {
  readonly store: Store;
  readonly log: Log;
  readonly aside: Aside;
  readonly cards: RequestCards;
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
    { connection, platform }: Doorway,
    by: Admitted,
  ): Promise<boolean> {
    const read = readCard(event.data);
    if (!read) return false;
    const { aside, cards } = this.#options;
    const answered = by.role === 'owner' ? await this.#answer(read.id, read.answer, by) : undefined;
    const isReplaced = answered === undefined && cards.isReplaced(read.id);
    const text = by.role !== 'owner' ? NOT_OWNER : (answered ?? (isReplaced ? REPLACED : GONE));
    // A little note has no markup.
    aside.do('answer to a button', () => connection.answerButton?.(event.id, text.replaceAll('`', '')));
    const pressed = { address: { platform, chat: event.chat }, messageId: event.messageId };
    if (by.role === 'owner' && !isReplaced) cards.settle(read.id, text, pressed);
    return true;
  }

  /** Other questions are answered by the same commands; those have other ids. */
  async #command(
    event: Extract<PlatformEvent, { kind: 'message' }>,
    { connection }: Doorway,
    by: Admitted,
  ): Promise<boolean> {
    const { name, args } = parseCommand(event.text) ?? {};
    if ((name !== 'approve' && name !== 'deny') || !args) return false;
    if (by.role !== 'owner' || event.forwardedFrom !== undefined) return false;
    const [id = ''] = args.toLowerCase().split(/\s+/);
    const text = await this.#answer(id, name === 'approve' ? 'allow' : 'deny', by);
    if (text === undefined) return false;
    this.#options.cards.settle(id, text);
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
