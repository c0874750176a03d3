// Which channel of Discord's a chat is. Threads that are opened for a conversation are opened when something is said in them,
// so that nobody can make the bot open one who may not speak to it (P1); somebody who never wrote has a private channel as soon
// as there is something to tell them.
import { isHermesError } from '../../base/errors.ts';
import type { Chat } from '../platform.ts';
import { Recent } from '../recent.ts';
import type { Client } from './client.ts';
import { THREAD_EXISTS } from './faults.ts';
import type { ParseOptions } from './parse.ts';
import { sentShape } from './payload.ts';
import type { Places } from './places.ts';

const DAY_MINUTES = 1440;
const LONGEST_NAME = 60;
const MOST_KNOWN = 5000;
/** No access, no permission. */
const FORBIDDEN = [50_001, 50_013];

export class Channels {
  readonly #client: Client;
  readonly #places: Places;
  readonly #mode: ParseOptions['threads'];
  /** By message: what the thread will be about that may be opened from it. */
  readonly #topics = new Recent<string>(MOST_KNOWN);
  /** By thread or person: the channel that was found for it. */
  readonly #found = new Recent<string>(MOST_KNOWN);

  constructor(client: Client, places: Places, mode: ParseOptions['threads']) {
    this.#client = client;
    this.#places = places;
    this.#mode = mode;
  }

  /** Names the thread that may be opened from this message. */
  noteTopic(messageId: string, text: string): void {
    this.#topics.set(messageId, text);
  }

  /** As it is now; nothing is opened for it. */
  now({ id, thread }: Chat): string {
    const own = thread ?? id;
    const isUnopened = thread !== undefined && this.#topics.has(thread);
    return this.#found.get(own) ?? (isUnopened ? id : own);
  }

  /** To say something there; opens the thread that is not there yet. */
  async of(chat: Chat): Promise<string> {
    const { id, thread } = chat;
    const isUnopened = thread !== undefined && this.#topics.has(thread) && !this.#places.hasThread(thread);
    return isUnopened ? this.#openThread(id, thread) : this.now(chat);
  }

  /** When Discord knows no such channel. Undefined when there is none to be had. */
  async instead({ id, kind, thread }: Chat): Promise<string | undefined> {
    if (this.#found.has(thread ?? id)) return undefined;
    if (kind === 'private') return this.#openPrivate(id);
    // After a restart nobody knows any more that it was to be opened.
    return thread !== undefined && this.#mode === 'per-conversation'
      ? this.#openThread(id, thread)
      : undefined;
  }

  async #openThread(channelId: string, messageId: string): Promise<string> {
    const name = nameOf(this.#topics.get(messageId) ?? '');
    const path = `/channels/${channelId}/messages/${messageId}/threads` as const;
    const body = { name, auto_archive_duration: DAY_MINUTES };
    let channel = messageId;
    try {
      const opened = await this.#client.call({ method: 'POST', path, what: 'open a thread', body });
      this.#places.noteThread(opened);
    } catch (error) {
      if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) throw error;
      const { code } = error.details;
      // Where it may not, the answer stands in the channel.
      if (typeof code === 'number' && FORBIDDEN.includes(code)) channel = channelId;
      else if (code !== THREAD_EXISTS) throw error;
    }
    this.#topics.delete(messageId);
    this.#found.set(messageId, channel);
    return channel;
  }

  /** An owner who was named by the operator is known by the id of the person only. */
  async #openPrivate(personId: string): Promise<string | undefined> {
    const body = { recipient_id: personId };
    const path = '/users/@me/channels';
    const opened = await this.#client.call({ method: 'POST', path, what: 'open a private chat', body });
    const id = sentShape.safeParse(opened).data?.id;
    if (id !== undefined) this.#found.set(personId, id);
    return id;
  }
}

/** The first words of the conversation; they stand above it anyway. */
function nameOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.slice(0, LONGEST_NAME).toWellFormed().trim() || 'Conversation';
}
