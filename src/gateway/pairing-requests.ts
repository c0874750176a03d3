// Strangers who write in private: each gets a code and one reply in ten minutes, their first message is held, and owners
// get a card. Whatever they send besides is counted and dropped.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { PlatformEvent } from '../platforms/platform.ts';
import type { Store } from '../store/store.ts';
import type { Ownership } from './claim.ts';
import type { Aside, Doorway } from './doorway.ts';
import { plainName } from './foreign-text.ts';
import { hashCode, newCode } from './pairing-code.ts';
import { CODE_LIFE_MS, roomFor, WINDOW_MS } from './pairing-limits.ts';
import { codeText, fullText } from './pairing-words.ts';
import { personOf } from './person-name.ts';
import type { RequestCards } from './request-cards.ts';
import type { Stranger, Strangers } from './strangers.ts';

type Message = Extract<PlatformEvent, { kind: 'message' }>;

export interface PairingRequestsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly strangers: Strangers;
  readonly ownership: () => Promise<Ownership>;
  readonly aside: Aside;
  readonly cards: RequestCards;
}

/** More than the longest message of any platform; a longer one is nothing to begin with. */
const LONGEST_HELD = 256 * 1024;

export class PairingRequests {
  readonly #options: PairingRequestsOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PairingRequestsOptions) {
    this.#options = options;
  }

  /** A stranger has written in private. */
  async meet(event: Message, from: Doorway): Promise<void> {
    const { strangers } = this.#options;
    const stranger = strangers.meet(personOf({ platform: from.platform, userId: event.sender.id }));
    if (JSON.stringify(event).length > LONGEST_HELD) return;
    if (stranger.holdsCommand !== undefined && !isCommand(event)) await this.#holdInstead(event, stranger);
    if (!strangers.takeReply(from.platform, stranger)) return;
    // One after the other, so that the places are counted right. Few get here.
    const asked = this.#last.then(() => this.#ask(event, from, stranger));
    this.#last = Promise.allSettled([asked]);
    await asked;
  }

  /** As a request with an id of its own: an owner who answers the card from before has not seen this. */
  async #holdInstead(event: Message, stranger: Stranger): Promise<void> {
    const { store, cards } = this.#options;
    const id = stranger.holdsCommand ?? '';
    stranger.holdsCommand = undefined;
    const made = await store.transaction(async ({ pairings }) => {
      const own = (await pairings.pending()).find(each => each.id === id);
      if (!own) return undefined;
      const { platform, userId, name, codeHash, expiresAt } = own;
      return pairings.ask({ platform, userId, name, codeHash, expiresAt, event });
    });
    if (made) cards.replace(id, made, contentOf(event));
  }

  async #ask(event: Message, from: Doorway, stranger: Stranger): Promise<void> {
    const { store, clock, strangers, log, cards } = this.#options;
    const now = clock.now();
    const person = { platform: from.platform, userId: event.sender.id };
    await store.pairings.expire();
    const pending = await store.pairings.pending(person.platform);
    const own = pending.find(({ userId }) => userId === person.userId);
    // It was asked before a restart, and has been answered then.
    if (own && !stranger.isUnanswered && now - own.askedAt < WINDOW_MS) return;
    const room = roomFor(pending, pairing => strangers.messagesOf(personOf(pairing)), now);
    if (!own && room.kind === 'none') {
      log.info({ person: personOf(person) }, 'stranger: no place for another request');
      const minutes = Math.ceil((room.freeAt - now) / 60_000);
      this.#reply(event, from, { stranger, text: fullText(minutes, personOf(person)) });
      return;
    }
    stranger.messages = 1;
    const code = newCode();
    const fresh = { codeHash: await hashCode(code), expiresAt: now + CODE_LIFE_MS };
    const giveBack = (): void => strangers.giveCardBack(from.platform);
    if (own) {
      await store.pairings.renew(own.id, fresh);
      const isMissing = cards.isLost(own.id) && strangers.takeCard(from.platform);
      if (isMissing) cards.show(own, contentOf(own.event as Message), giveBack); // as it was asked with
    } else {
      if (room.kind === 'taken') await store.pairings.remove(room.from.id);
      const name = plainName(event.sender.name);
      const made = await store.pairings.ask({ ...person, name, ...fresh, event });
      if (isCommand(event)) stranger.holdsCommand = made.id;
      if (strangers.takeCard(from.platform)) cards.show(made, contentOf(event), giveBack);
    }
    log.info({ person: personOf(person) }, 'stranger: has a pairing code');
    const ownership = await this.#options.ownership();
    this.#reply(event, from, { stranger, text: codeText({ platform: from.platform, code, ownership }) });
  }

  /** One that did not arrive was none: the next message gets another. */
  #reply({ chat }: Message, from: Doorway, { stranger, text }: { stranger: Stranger; text: string }): void {
    const { aside, strangers } = this.#options;
    stranger.isUnanswered = false;
    aside.do(
      'reply to a stranger',
      () => from.connection.send(chat, { text }),
      () => strangers.giveReplyBack(from.platform, stranger),
    );
  }
}

/** Chats are opened with one on some platforms; what follows it is what the person wants to say. */
function isCommand({ text, files }: Message): boolean {
  return text.startsWith('/') && files.length === 0;
}

/** Files are named, and not fetched (P1). */
function contentOf({ text, files }: Message): string {
  return [text, ...files.map(({ name }) => `[file: ${name}]`)].filter(part => part !== '').join('\n');
}
