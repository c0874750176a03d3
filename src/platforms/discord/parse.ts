// What Discord tells us as events of the gateway, or nothing: bots, webhooks, notices of the system and what is malformed are
// no events. Pure.
import type { Chat, IncomingFileRef, PlatformEvent, Sender } from '../platform.ts';
import type { Channel, Content, Interaction, Message, User } from './payload.ts';

/** Our own account. */
export interface Account {
  readonly id: string;
  readonly username: string;
}

/** Where a message stands. */
export interface Place {
  readonly kind: 'private' | 'channel' | 'thread';
  /** Of a thread. */
  readonly parent?: string;
  /** Whether the bot opened the thread. */
  readonly isOwn?: boolean;
}

export interface ParseOptions {
  readonly account: Account;
  readonly place: Place;
  readonly freeChannels: readonly string[];
  /** Whether a mention in a channel is answered in a thread of its own. */
  readonly threads: 'per-conversation' | 'as-they-are';
}

/** Between one person and the bot. */
const DIRECT = 1;
/** Announcements, public and private threads. */
const THREADS = [10, 11, 12];
/** Text and announcements: where a thread can be opened from a message. */
const THREADABLE = [0, 5];
/** Said, or said as a reply; everything else is a notice of Discord's. */
const SAID = [0, 19];
const FORWARD = 1;

export const PRIVATE: Place = { kind: 'private' };
export const CHANNEL: Place = { kind: 'channel' };

export function isThread(type: number): boolean {
  return THREADS.includes(type);
}

export function parseMessage(message: Message, options: ParseOptions): PlatformEvent | undefined {
  const { author } = message;
  if (!isPerson(author, options.account) || message.webhook_id || !SAID.includes(message.type))
    return undefined;
  const isForward = message.message_reference?.type === FORWARD;
  const contents = isForward ? message.message_snapshots.map(each => each.message) : [message];
  const text = isForward ? contents.map(wordsOf).join('\n\n') : withoutMention(wordsOf(message), options);
  const files = contents.flatMap(each => filesOf(each, message));
  if (text.trim() === '' && files.length === 0) return undefined;
  const isForUs = isAddressed(message, options);
  const chat = chatOf(message.channel_id, options.place);
  return {
    kind: 'message',
    id: message.id,
    // A thread that is opened from a message gets its id, so it has a name before there is one.
    chat: isForUs && opensThread(message, options) ? { ...chat, thread: message.id } : chat,
    sender: senderOf(author),
    text,
    files,
    // Discord does not say whose words they are.
    ...(isForward ? { forwardedFrom: 'somebody else' } : {}),
    isAddressed: isForUs,
  };
}

/** A command is what somebody would have typed. */
export function parseInteraction(interaction: Interaction, account: Account): PlatformEvent | undefined {
  const { type, data, member, id, message } = interaction;
  const user = member?.user ?? interaction.user;
  if (!user || !isPerson(user, account) || isBetweenOthers(interaction)) return undefined;
  const place = interaction.guild_id === undefined ? PRIVATE : placeOf(interaction.channel, account);
  const chat = chatOf(interaction.channel.id, place);
  const from = { id, chat, sender: senderOf(user) };
  if (type === 2 && data.type === 1 && data.name !== undefined) {
    const words = data.options.flatMap(({ value }) => (value === undefined ? [] : [String(value)]));
    const text = [`/${data.name}`, ...words].join(' ').trim();
    return { kind: 'message', ...from, text, files: [], isAddressed: true };
  }
  if (type === 3 && data.component_type === 2 && data.custom_id !== undefined && message) {
    return { kind: 'button', ...from, data: data.custom_id, messageId: message.id };
  }
  return undefined;
}

/** Chats of several people have no place here: what is said in private must stay so. */
function isBetweenOthers({ context, guild_id, channel }: Interaction): boolean {
  return context === 2 || (guild_id === undefined && channel.type !== DIRECT);
}

function isPerson({ bot, id }: User, account: Account): boolean {
  return !bot && id !== account.id;
}

function senderOf({ id, username, global_name }: User): Sender {
  return { id, name: global_name || username || id };
}

function isAddressed(message: Message, { account, place, freeChannels }: ParseOptions): boolean {
  const isFree = [message.channel_id, place.parent].some(
    each => each !== undefined && freeChannels.includes(each),
  );
  return (
    place.kind === 'private' ||
    isFree ||
    place.isOwn === true ||
    message.mentions.some(({ id }) => id === account.id) ||
    message.referenced_message?.author.id === account.id
  );
}

function opensThread(message: Message, { place, threads, freeChannels }: ParseOptions): boolean {
  const { channel_id, channel_type = 0 } = message;
  const mayHaveThreads = place.kind === 'channel' && THREADABLE.includes(channel_type);
  return threads === 'per-conversation' && mayHaveThreads && !freeChannels.includes(channel_id);
}

function chatOf(channelId: string, place: Place): Chat {
  if (place.kind === 'private') return { id: channelId, kind: 'private' };
  if (place.kind === 'channel') return { id: channelId, kind: 'group' };
  return { id: place.parent ?? channelId, kind: 'group', thread: channelId };
}

/** Of a message outside of servers; those that are looked up in private do not tell the type. */
export function placeIn({ channel_type = DIRECT }: Pick<Message, 'channel_type'>): Place {
  return channel_type === DIRECT ? PRIVATE : CHANNEL;
}

/** Of a channel of a server. */
export function placeOf({ type, parent_id, owner_id }: Channel, account: Account): Place {
  if (!isThread(type)) return CHANNEL;
  return {
    kind: 'thread',
    ...(parent_id ? { parent: parent_id } : {}),
    isOwn: owner_id === account.id,
  };
}

/** The mention that it begins with only says whom it is for. */
function withoutMention(text: string, { account }: ParseOptions): string {
  const mention = new RegExp(`^\\s*<@!?${account.id}>[\\s,:]*`);
  return text.replace(mention, '') || text;
}

function wordsOf({ content, sticker_items }: Content): string {
  return content || sticker_items.map(({ name }) => `Sticker: ${name}`).join('\n');
}

function filesOf({ attachments }: Content, message: Message): readonly IncomingFileRef[] {
  return attachments.map(({ id, filename, size, url }) => ({
    name: filename || `file-${id}`,
    ...(size === undefined ? {} : { size }),
    ref: { channelId: message.channel_id, messageId: message.id, fileId: id, url },
  }));
}
