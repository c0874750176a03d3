// The state of the double: one bot, the channels that it is in, what was said there, and files, in the shapes of Discord's API.

import { readDiscord } from './discord-markdown.ts';
import type { FormFile } from './multipart.ts';

export interface Person {
  readonly id: string;
  readonly name?: string;
  readonly isBot?: boolean;
}

export interface Place {
  readonly id: string;
  /** 0 = a channel of a server, 1 = private, 11 = a thread. */
  readonly type: number;
  /** Of a thread. */
  readonly parent?: string;
  readonly owner?: string;
}

/** A message of the bot as people see it now. */
export interface SentMessage {
  readonly id: string;
  readonly channel: string;
  readonly text: string;
  /** As it was written. */
  readonly content: string;
  readonly versions: readonly string[];
  readonly buttons: readonly (readonly { readonly label: string; readonly data: string }[])[];
  readonly file?: FormFile;
  readonly flags: number;
  readonly mayPing: boolean;
}

export interface SayOptions {
  /** Absent = the private channel of the person. */
  readonly place?: Place;
  readonly file?: FormFile;
  /** A message of the bot that is replied to. */
  readonly replyTo?: string;
}

export type Json = Readonly<Record<string, unknown>>;

export const GUILD = '300000000000000001';
/** When a message was sent is part of its id. */
const EPOCH_MS = 1_420_070_400_000n;

export class DiscordWorld {
  readonly bot: { readonly id: string; readonly username: string };
  readonly applicationId = '700000000000000002';
  readonly root: () => string;
  readonly places = new Map<string, Place>();
  readonly files = new Map<string, Uint8Array>();
  readonly sent = new Map<string, SentMessage>();
  /** Everything that was said, as payloads of the API, by channel. */
  readonly #said = new Map<string, Json[]>();
  #count = 0n;

  constructor(bot: { id: string; username: string }, root: () => string) {
    this.bot = bot;
    this.root = root;
  }

  newId(): string {
    this.#count += 1n;
    return String(((BigInt(Date.now()) - EPOCH_MS) << 22n) | (this.#count & 0x3f_ffffn));
  }

  privateOf(person: Person): Place {
    return this.add({ id: `1${person.id.slice(1)}`, type: 1 });
  }

  add(place: Place): Place {
    this.places.set(place.id, place);
    return place;
  }

  /** The payload of a message that a person writes. */
  said(from: Person, text: string, { place = this.privateOf(from), file, replyTo }: SayOptions = {}): Json {
    this.add(place);
    const id = this.newId();
    const replied = replyTo === undefined ? undefined : this.sent.get(replyTo);
    const mentions = [...text.matchAll(/<@!?(\d+)>/g)].map(([, who]) => ({ id: who, username: 'somebody' }));
    const message = {
      ...{ id, channel_id: place.id, content: text, author: userOf(from), mentions, type: replied ? 19 : 0 },
      ...{ timestamp: new Date().toISOString(), edited_timestamp: null, tts: false, pinned: false },
      ...{ mention_everyone: false, mention_roles: [], embeds: [], channel_type: place.type },
      attachments: file ? [this.#attach(file)] : [],
      ...(place.type === 1 ? {} : { guild_id: GUILD, member: { roles: [], nick: null } }),
      ...(replied
        ? { referenced_message: this.messageOf(replied), message_reference: { type: 0, message_id: replyTo } }
        : {}),
    };
    this.#keep(place.id, message);
    return message;
  }

  /** As the history of a channel has it: without what only dispatches say. */
  history(channel: string, after: string, limit: number): readonly Json[] {
    const all = this.#said.get(channel) ?? [];
    const later = all.filter(({ id }) => BigInt(String(id)) > BigInt(after)).slice(0, limit);
    return later.map(({ guild_id: _, member: __, channel_type: ___, ...rest }) => rest).toReversed();
  }

  find(channel: string, id: string): Json | undefined {
    return this.#said.get(channel)?.find(each => each['id'] === id);
  }

  lastIn(channel: string): string | null {
    const id = this.#said.get(channel)?.at(-1)?.['id'];
    return typeof id === 'string' ? id : null;
  }

  keepSent(message: SentMessage): Json {
    this.sent.set(message.id, message);
    return this.messageOf(message);
  }

  messageOf(message: SentMessage): Json {
    return {
      ...{ id: message.id, channel_id: message.channel, content: message.content, type: 0 },
      author: userOf({ id: this.bot.id, name: this.bot.username, isBot: true }),
      ...{ attachments: [], mentions: [], embeds: [], timestamp: new Date().toISOString() },
    };
  }

  channelOf({ id, type, parent, owner }: Place): Json {
    return {
      ...{ id, type, last_message_id: this.lastIn(id) },
      ...(type === 1 ? {} : { guild_id: GUILD, name: `channel-${id}`, parent_id: parent ?? null }),
      ...(owner === undefined ? {} : { owner_id: owner }),
    };
  }

  guild(): Json {
    const own = [...this.places.values()].filter(({ type }) => type !== 1);
    const shown = (isThread: boolean) =>
      own.filter(({ type }) => type >= 10 === isThread).map(place => this.channelOf(place));
    return { id: GUILD, name: 'A server', channels: shown(false), threads: shown(true), members: [] };
  }

  /** A new address for a file, as Discord signs one for a day. */
  urlOf(fileId: string): string {
    return `${this.root()}/attachments/${fileId}?ex=${this.#count}`;
  }

  #attach({ name, bytes }: FormFile): Json {
    const id = this.newId();
    this.files.set(id, bytes);
    return { id, filename: name, size: bytes.length, url: this.urlOf(id), content_type: 'text/plain' };
  }

  #keep(channel: string, message: Json): void {
    this.#said.set(channel, [...(this.#said.get(channel) ?? []), message]);
  }
}

export function userOf({ id, name = `person-${id}`, isBot = false }: Person): Json {
  return {
    id,
    username: name.toLowerCase(),
    global_name: name,
    discriminator: '0',
    avatar: null,
    bot: isBot,
  };
}

/** Why Discord would refuse what the bot wants to say, or what people would see of it. */
export function readSending(
  body: Json,
  file: FormFile | undefined,
): Omit<SentMessage, 'id' | 'channel' | 'versions'> | string {
  const content = typeof body['content'] === 'string' ? body['content'].trim() : '';
  if (content === '' && !file) return 'Cannot send an empty message';
  if (content.length > 2000) return 'Invalid Form Body: Must be 2000 or fewer in length.';
  // Our own adapter made it; what is wrong with it shows in the test.
  const rows = (body['components'] ?? []) as { components: { label: string; custom_id: string }[] }[];
  const buttons = rows.map(row => row.components.map(each => ({ label: each.label, data: each.custom_id })));
  if (rows.length > 5 || buttons.some(row => row.length === 0 || row.length > 5))
    return 'Invalid Form Body: rows';
  if (buttons.flat().some(({ data }) => data.length === 0 || data.length > 100))
    return 'Invalid Form Body: custom_id';
  const allowed = body['allowed_mentions'] as { parse?: unknown[] } | undefined; // as above
  return {
    ...{ content, text: readDiscord(content), buttons, flags: Number(body['flags'] ?? 0) },
    mayPing: content !== '' && allowed?.parse?.length !== 0,
    ...(file ? { file } : {}),
  };
}
