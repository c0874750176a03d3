// Strangers who write in private: each gets a code and one reply in ten minutes, their first message is held, and owners
// get a card. Whatever they send besides is counted and dropped.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { OutgoingText, PlatformEvent } from '../platforms/platform.ts';
import type { Pairing } from '../store/pairings.ts';
import type { Store } from '../store/store.ts';
import type { Aside, Doorway } from './doorway.ts';
import { plainName } from './foreign-text.ts';
import { hashCode, newCode } from './pairing-code.ts';
import { CODE_LIFE_MS, roomFor, WINDOW_MS } from './pairing-limits.ts';
import { codeText, fullText, requestCard } from './pairing-words.ts';
import { personOf } from './person-name.ts';
import type { Stranger, Strangers } from './strangers.ts';

type Message = Extract<PlatformEvent, { kind: 'message' }>;

export interface PairingRequestsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly strangers: Strangers;
  /** Whether the first owner has still to be found. */
  readonly isUnclaimed: () => boolean;
  readonly aside: Aside;
  readonly notifyOwners: (card: OutgoingText) => Promise<unknown>;
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
    const { strangers, store } = this.#options;
    const stranger = strangers.meet(personOf({ platform: from.platform, userId: event.sender.id }));
    if (JSON.stringify(event).length > LONGEST_HELD) return;
    if (stranger.holdsCommand !== undefined && !isCommand(event)) {
      const id = stranger.holdsCommand;
      stranger.holdsCommand = undefined;
      await store.pairings.hold(id, event);
    }
    if (!strangers.takeReply(from.platform, stranger)) return;
    // One after the other, so that the places are counted right. Few get here.
    const asked = this.#last.then(() => this.#ask(event, from, stranger));
    this.#last = Promise.allSettled([asked]);
    await asked;
  }

  async #ask(event: Message, from: Doorway, stranger: Stranger): Promise<void> {
    const { store, clock, strangers, log } = this.#options;
    const now = clock.now();
    const person = { platform: from.platform, userId: event.sender.id };
    await store.pairings.expire();
    const pending = await store.pairings.pending(person.platform);
    const own = pending.find(({ userId }) => userId === person.userId);
    // It was asked before a restart, and has been answered then.
    if (own && now - own.askedAt < WINDOW_MS) return;
    const room = roomFor(pending, pairing => strangers.messagesOf(personOf(pairing)), now);
    if (!own && room.kind === 'none') {
      log.info({ person: personOf(person) }, 'stranger: no place for another request');
      const minutes = Math.ceil((room.freeAt - now) / 60_000);
      this.#reply(event, from, fullText(minutes, personOf(person)));
      return;
    }
    stranger.messages = 1;
    const code = newCode();
    const fresh = { codeHash: await hashCode(code), expiresAt: now + CODE_LIFE_MS };
    if (own) await store.pairings.renew(own.id, fresh);
    else {
      if (room.kind === 'taken') await store.pairings.remove(room.from.id);
      const name = plainName(event.sender.name);
      const made = await store.pairings.ask({ ...person, name, ...fresh, event });
      if (isCommand(event)) stranger.holdsCommand = made.id;
      if (strangers.takeCard(from.platform)) this.#card(made, event);
    }
    log.info({ person: personOf(person) }, 'stranger: has a pairing code');
    const isUnclaimed = this.#options.isUnclaimed();
    this.#reply(event, from, codeText({ platform: from.platform, code, isUnclaimed }));
  }

  #reply({ chat }: Message, from: Doorway, text: string): void {
    this.#options.aside.do('reply to a stranger', () => from.connection.send(chat, { text }));
  }

  #card(pairing: Pairing, event: Message): void {
    const { aside, notifyOwners } = this.#options;
    aside.do('card', () => notifyOwners(requestCard(pairing, contentOf(event))));
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
