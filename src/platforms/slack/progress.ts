// Shows that somebody is working. In a thread of a private chat, where Slack shows assistants, it is the status; elsewhere a
// reaction on the message that is being worked on. Both are taken away when nobody says so any more.
import type { Timer } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Chat } from '../platform.ts';
import { Recent } from '../recent.ts';
import type { Client } from './client.ts';
import type { Rooms } from './rooms.ts';

/** Whoever works says so every few seconds. */
const STALE_MS = 10_000;
/** Slack takes a status away by itself after two minutes, and with every message of ours. */
const STATUS_EVERY_MS = 20_000;
const STATUS = 'is working…';
const REACTION = 'hourglass_flowing_sand';
const MOST_KNOWN = 5000;
/** What Slack says of a reaction that is there already, or gone, and of a message that is. */
const NO_MATTER = [
  'already_reacted',
  'no_reaction',
  'message_not_found',
  'thread_locked',
  'too_many_reactions',
];

interface Sign {
  /** Takes it away. */
  readonly end: () => Promise<void>;
  readonly kind: 'status' | 'reaction';
  readonly shownAt: number;
  timer: Timer;
}

export class Progress {
  readonly #client: Client;
  readonly #rooms: Rooms;
  readonly #log: Log;
  /** What somebody said last in each chat. */
  readonly #last = new Recent<string>(MOST_KNOWN);
  readonly #signs = new Map<string, Sign>();
  readonly #ending = new Set<Promise<void>>();

  constructor(client: Client, rooms: Rooms, log: Log) {
    this.#client = client;
    this.#rooms = rooms;
    this.#log = log;
  }

  /** `ts` of a message, or nothing where there is none that could carry a sign. */
  heard(chat: Chat, ts: string | undefined): void {
    const key = keyOf(chat);
    if (ts === undefined) this.#last.delete(key);
    else this.#last.set(key, ts);
  }

  async show(chat: Chat): Promise<void> {
    const key = keyOf(chat);
    const { clock } = this.#client;
    const sign = this.#signs.get(key);
    if (sign) {
      sign.timer.cancel();
      sign.timer = this.#staleTimer(key);
      if (sign.kind === 'reaction' || clock.monotonic() - sign.shownAt < STATUS_EVERY_MS) return;
    }
    const shown = await this.#begin(chat);
    if (!shown) return;
    this.#signs.get(key)?.timer.cancel();
    this.#signs.set(key, { ...shown, shownAt: clock.monotonic(), timer: this.#staleTimer(key) });
  }

  /** Takes every sign away. */
  async close(): Promise<void> {
    for (const key of [...this.#signs.keys()]) this.#end(key);
    await Promise.all(this.#ending);
  }

  #staleTimer(key: string): Timer {
    return this.#client.clock.after(STALE_MS, () => this.#end(key));
  }

  #end(key: string): void {
    const sign = this.#signs.get(key);
    if (!sign) return;
    this.#signs.delete(key);
    sign.timer.cancel();
    const ended = sign
      .end()
      .catch(error => this.#log.debug({ error: String(error) }, 'a sign of work was not taken away'))
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async #begin(chat: Chat): Promise<Pick<Sign, 'end' | 'kind'> | undefined> {
    const channel = await this.#rooms.channelOf(chat);
    const status = chat.kind === 'private' ? await this.#status(channel, chat.thread) : undefined;
    return status ?? this.#reaction(channel, this.#last.get(keyOf(chat)));
  }

  /** Undefined where Slack shows none. */
  async #status(
    channel: string,
    thread: string | undefined,
  ): Promise<Pick<Sign, 'end' | 'kind'> | undefined> {
    if (thread === undefined) return undefined;
    const set = (status: string): Promise<unknown> =>
      this.#client.call('assistant.threads.setStatus', { channel_id: channel, thread_ts: thread, status });
    try {
      await set(STATUS);
    } catch (error) {
      if (isHermesError(error, 'USAGE_NOT_DELIVERED')) return undefined;
      throw error;
    }
    return { kind: 'status', end: async () => void (await set('')) };
  }

  async #reaction(
    channel: string,
    timestamp: string | undefined,
  ): Promise<Pick<Sign, 'end' | 'kind'> | undefined> {
    if (timestamp === undefined) return undefined;
    const react = async (method: 'reactions.add' | 'reactions.remove'): Promise<void> => {
      try {
        await this.#client.call(method, { channel, timestamp, name: REACTION });
      } catch (error) {
        if (!isHermesError(error) || !NO_MATTER.includes(String(error.details['reason']))) throw error;
      }
    };
    await react('reactions.add');
    return { kind: 'reaction', end: () => react('reactions.remove') };
  }
}

function keyOf({ id, thread = '' }: Chat): string {
  return `${id} ${thread}`;
}
