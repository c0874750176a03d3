// Which channels are threads, of which channel, and whether the bot opened them: Discord says so when a server comes into view
// and when a thread appears, and is asked where it did not.
import { isHermesError } from '../../base/errors.ts';
import type { Client } from './client.ts';
import { type Account, CHANNEL, isThread, type Place, placeIn, placeOf } from './parse.ts';
import { type Channel, channelShape, guildShape, type Message, threadListShape } from './payload.ts';

/** The oldest are asked for again. */
const MOST_THREADS = 10_000;

export class Places {
  readonly #client: Client;
  readonly #account: Account;
  readonly #threads = new Map<string, Place>();
  readonly #guilds = new Set<string>();

  constructor(client: Client, account: Account) {
    this.#client = client;
    this.#account = account;
  }

  /** What comes into view with a server: its channels and threads. */
  noteGuild(payload: unknown): { readonly id: string; readonly channels: readonly Channel[] } | undefined {
    const guild = guildShape.safeParse(payload).data;
    if (!guild) return undefined;
    const channels = [...guild.channels, ...guild.threads].flatMap(
      each => channelShape.safeParse(each).data ?? [],
    );
    for (const channel of channels) this.#note(channel);
    this.#guilds.add(guild.id);
    return { id: guild.id, channels };
  }

  noteThread(payload: unknown): void {
    const channel = channelShape.safeParse(payload).data;
    if (channel) this.#note(channel);
  }

  noteThreads(payload: unknown): void {
    for (const thread of threadListShape.safeParse(payload).data?.threads ?? []) this.noteThread(thread);
  }

  hasThread(id: string): boolean {
    return this.#threads.has(id);
  }

  /** Throws UNAVAILABLE_PLATFORM when Discord has to be asked and cannot. */
  async find(message: Message): Promise<Place> {
    const { guild_id, channel_id, channel_type } = message;
    if (guild_id === undefined) return placeIn(message);
    const known = this.#threads.get(channel_id);
    if (known) return known;
    const isChannel = channel_type === undefined ? this.#guilds.has(guild_id) : !isThread(channel_type);
    return isChannel ? CHANNEL : this.#ask(channel_id);
  }

  async #ask(id: string): Promise<Place> {
    const channel = channelShape.safeParse(await this.#lookUp(id)).data;
    if (!channel) return CHANNEL;
    this.#note(channel);
    return placeOf(channel, this.#account);
  }

  async #lookUp(id: string): Promise<unknown> {
    try {
      return await this.#client.call({ method: 'GET', path: `/channels/${id}`, what: 'describe a channel' });
    } catch (error) {
      // It is gone, or closed to the bot; then nothing can be sent there either.
      if (isHermesError(error, 'USAGE_NOT_DELIVERED')) return undefined;
      throw error;
    }
  }

  #note(channel: Channel): void {
    if (!isThread(channel.type)) return;
    this.#threads.delete(channel.id);
    this.#threads.set(channel.id, placeOf(channel, this.#account));
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > MOST_THREADS && oldest !== undefined) this.#threads.delete(oldest);
  }
}
