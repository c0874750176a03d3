// Which reaction to which message means what. Kept over a restart: a question may be answered after it (P8).
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import type { Chat } from '../platform.ts';
import type { Folder } from './folder.ts';
import { type Mark, plainEmoji } from './reactions.ts';

const FILE = 'cards.json';
const cardShape = z.object({
  chat: z.string(),
  answers: z.record(z.string(), z.string()),
});
const fileShape = z.array(z.tuple([z.string(), cardShape]));
type Card = z.infer<typeof cardShape>;

const MOST_KEPT = 200;

export class Cards {
  readonly #folder: Folder;
  readonly #log: Log;
  /** By the id of the message. */
  #cards: Promise<Map<string, Card>> | undefined;
  readonly #sending = new Set<Promise<unknown>>();

  constructor(folder: Folder, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Sends a message that can be reacted to; a reaction that comes before its id is known waits for it. */
  async sent(chat: Chat, marks: readonly Mark[], send: () => Promise<string>): Promise<string> {
    if (marks.length === 0) return send();
    const sending = send().then(async id => {
      await this.#keep(id, {
        chat: chat.id,
        answers: Object.fromEntries(marks.map(({ emoji, data }) => [plainEmoji(emoji), data])),
      });
      return id;
    });
    const settled = Promise.allSettled([sending]);
    this.#sending.add(settled);
    try {
      return await sending;
    } finally {
      this.#sending.delete(settled);
    }
  }

  /** What the reaction carries; undefined when it means nothing. */
  async answer(chat: Chat, messageId: string, emoji: string): Promise<string | undefined> {
    const look = async (): Promise<Card | undefined> => (await this.#load()).get(messageId);
    let card = await look();
    if (!card && this.#sending.size > 0) {
      await Promise.all(this.#sending);
      card = await look();
    }
    if (card?.chat !== chat.id) return undefined;
    const plain = plainEmoji(emoji);
    return Object.hasOwn(card.answers, plain) ? card.answers[plain] : undefined;
  }

  async #keep(id: string, card: Card): Promise<void> {
    const cards = await this.#load();
    cards.set(id, card);
    const [oldest] = cards.keys();
    if (cards.size > MOST_KEPT && oldest !== undefined) cards.delete(oldest);
    try {
      await this.#folder.write(FILE, [...cards]);
    } catch (error) {
      // The message is sent, and can be answered until the gateway ends.
      this.#log.warn({ err: error }, 'what reactions to a message mean could not be written down');
    }
  }

  #load(): Promise<Map<string, Card>> {
    this.#cards ??= this.#folder.read(FILE).then(
      value => new Map(fileShape.safeParse(value).data ?? []),
      (error: unknown) => {
        // It is read anew when somebody asks again.
        this.#cards = undefined;
        throw error;
      },
    );
    return this.#cards;
  }
}
