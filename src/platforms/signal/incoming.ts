// Takes in what the daemon received: who it is from, what it means, and on to the gateway.
import type { Log } from '../../base/log.ts';
import type { Chat, ConnectOptions } from '../platform.ts';
import { type Account, addressOf, isSame } from './address.ts';
import type { Cards } from './cards.ts';
import { type Endpoint, unknownAccount } from './faults.ts';
import type { OwnMessages } from './own-messages.ts';
import { parseReceived, type Reaction, readReceived, sourceOf } from './parse.ts';
import type { People } from './people.ts';

/** The id of a message ends with its time. */
function timeOf(id: string): number {
  return Number(id.slice(id.lastIndexOf(':') + 1));
}

export interface IncomingOptions extends Pick<ConnectOptions, 'receive'> {
  readonly endpoint: Endpoint;
  readonly account: Account;
  readonly groups: readonly string[];
  readonly people: People;
  readonly cards: Cards;
  readonly own: OwnMessages;
  readonly log: Log;
}

const MOST_REACTIONS = 500;

export class Incoming {
  readonly #options: IncomingOptions;
  readonly #groups: ReadonlySet<string>;
  /** Where reactions were, by their ids, for the answer to them. */
  readonly #reactions = new Map<string, Chat>();

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#groups = new Set(options.groups);
  }

  /** Throws when it could not be received, and AUTH_PLATFORM_TOKEN when the daemon speaks for another account. */
  async take(data: unknown): Promise<'stored' | 'ignored'> {
    const { account, people, own, receive } = this.#options;
    const received = readReceived(data);
    if (!received) return 'ignored';
    this.#checkAccount(received.account);
    const source = sourceOf(received);
    const senderId = await people.idOf(source);
    if (senderId === undefined) return 'ignored';
    const isOurs = own.has.bind(own);
    const parsed = parseReceived(received, { account, groups: this.#groups, senderId, isOurs });
    if (!parsed) return 'ignored';
    // Only of those who speak to us: anybody can be in a group.
    await people.learn(source);
    if (parsed.kind === 'reaction') return this.#react(parsed);
    await receive({ ...parsed, sentAt: timeOf(parsed.id) });
    return 'stored';
  }

  chatOfReaction(eventId: string): Chat | undefined {
    return this.#reactions.get(eventId);
  }

  /** Each counts once: a daemon that was started again may repeat it. */
  async #react({ id, chat, sender, emoji, messageId }: Reaction): Promise<'stored' | 'ignored'> {
    const data = await this.#options.cards.answer(chat, messageId, emoji);
    if (data === undefined || this.#reactions.has(id)) return 'ignored';
    this.#reactions.set(id, chat);
    const [oldest] = this.#reactions.keys();
    if (this.#reactions.size > MOST_REACTIONS && oldest !== undefined) this.#reactions.delete(oldest);
    try {
      await this.#options.receive({ kind: 'button', id, chat, sender, data, messageId });
    } catch (error) {
      // It comes again.
      this.#reactions.delete(id);
      throw error;
    }
    return 'stored';
  }

  #checkAccount(said: string | null | undefined): void {
    const { account, endpoint, log } = this.#options;
    const given = addressOf(said);
    if (given.number === undefined && given.uuid === undefined) return;
    // Only where both are ids of the same kind can they be known to differ.
    const isOther =
      (given.number !== undefined && account.number !== undefined && given.number !== account.number) ||
      (given.uuid !== undefined && account.uuid !== undefined && !isSame(given, account));
    if (!isOther) return;
    log.error({ account: said }, 'the daemon speaks for another account');
    throw unknownAccount(endpoint, { details: { method: 'events', reason: 'it is another account’s' } });
  }
}
