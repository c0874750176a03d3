// What signal-cli received as an event of the gateway, or nothing: stories, receipts, calls, edits, groups that are not
// listed, what our own account said elsewhere, and what is malformed are no events. Pure.
import type { Chat, IncomingFileRef, PlatformEvent, Sender } from '../platform.ts';
import { type Account, addressOf, isSame, type SignalAddress } from './address.ts';
import { type Received, receivedShape, type SignalMessage, type SignalReaction } from './envelope.ts';

export interface ParseOptions {
  readonly account: Account;
  /** Groups that may speak, by id. */
  readonly groups: ReadonlySet<string>;
  /** The one id of whom it is from. */
  readonly senderId: string;
  /** Whether our account sent it by us, and not from another device. */
  readonly isOurs: (timestamp: number, text: string) => boolean;
}

/** Somebody reacted to a message of ours; whether that means anything is known by whoever sent it. */
export interface Reaction {
  readonly kind: 'reaction';
  readonly id: string;
  readonly chat: Chat;
  readonly sender: Sender;
  readonly emoji: string;
  readonly messageId: string;
}

export type Parsed = Extract<PlatformEvent, { kind: 'message' }> | Reaction;

export function readReceived(data: unknown): Received | undefined {
  return receivedShape.safeParse(data).data;
}

/** Who it is from; nobody when the daemon does not know. */
export function sourceOf({ envelope }: Received): SignalAddress {
  return addressOf(envelope.sourceUuid, envelope.sourceNumber, envelope.source);
}

export function parseReceived(received: Received, options: ParseOptions): Parsed | undefined {
  const { account, senderId: id } = options;
  const { envelope } = received;
  const source = sourceOf(received);
  const message = isSame(source, account) ? noteToSelf(received, options) : envelope.dataMessage;
  if (!message || isGiven(message.storyContext)) return undefined;
  const chat = chatOf(message, id, options);
  if (!chat) return undefined;
  const sender = { id, name: envelope.sourceName?.trim() || source.number || id };
  return message.reaction
    ? parseReaction(message, message.reaction, { chat, sender, account })
    : parseMessage(message, { chat, sender, account });
}

/** What the owner of the account writes to themselves; what they write to others is none of our business. */
function noteToSelf({ envelope }: Received, { account, isOurs }: ParseOptions): SignalMessage | undefined {
  const sent = envelope.syncMessage?.sentMessage;
  if (!sent || isGiven(sent.editMessage) || sent.groupInfo) return undefined;
  const to = addressOf(sent.destinationUuid, sent.destinationNumber, sent.destination);
  return isSame(to, account) && !isOurs(sent.timestamp, sent.message ?? '') ? sent : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function chatOf({ groupInfo }: SignalMessage, id: string, { groups }: ParseOptions): Chat | undefined {
  if (!groupInfo) return { id, kind: 'private' };
  return groups.has(groupInfo.groupId) ? { id: groupInfo.groupId, kind: 'group' } : undefined;
}

interface Scene {
  readonly chat: Chat;
  readonly sender: Sender;
  readonly account: Account;
}

function parseReaction(
  { timestamp }: SignalMessage,
  reaction: SignalReaction,
  { chat, sender, account }: Scene,
): Reaction | undefined {
  const { emoji, isRemove, targetAuthorUuid, targetAuthorNumber, targetAuthor } = reaction;
  const author = addressOf(targetAuthorUuid, targetAuthorNumber, targetAuthor);
  if (isRemove || !isSame(author, account)) return undefined;
  const messageId = String(reaction.targetSentTimestamp);
  return { kind: 'reaction', id: `${sender.id}:${timestamp}`, chat, sender, emoji, messageId };
}

function parseMessage(message: SignalMessage, { chat, sender, account }: Scene): Parsed | undefined {
  const files = filesOf(message, chat);
  const text = textOf(message, account) || contactsOf(message);
  if (text === '' && files.length === 0) return undefined;
  return {
    kind: 'message',
    id: `${sender.id}:${message.timestamp}`,
    chat,
    sender,
    text,
    files,
    isAddressed: chat.kind === 'private' || isAddressed(message, account),
  };
}

function isAddressed({ mentions, quote }: SignalMessage, account: Account): boolean {
  const isMentioned = mentions?.some(({ uuid, number }) => isSame(addressOf(uuid, number), account)) ?? false;
  const author = quote ? addressOf(quote.authorUuid, quote.authorNumber, quote.author) : {};
  return isMentioned || isSame(author, account);
}

/** With the mentions in words: Signal has a placeholder in their place. Ours at the beginning only says whom it is for. */
function textOf({ message, mentions }: SignalMessage, account: Account): string {
  let text = message ?? '';
  const last = (mentions ?? []).toSorted((one, other) => other.start - one.start);
  for (const { start, length, number, uuid } of last) {
    if (start + length > text.length) continue;
    const isOwn = isSame(addressOf(uuid, number), account);
    const before = text.slice(0, start);
    const after = text.slice(start + length);
    if (isOwn && before.trim() === '') text = after.replace(/^[\s,:]+/, '');
    else text = `${before}@${isOwn ? 'you' : (number ?? uuid ?? 'somebody')}${after}`;
  }
  return text;
}

function contactsOf({ contacts }: SignalMessage): string {
  const lines = (contacts ?? []).map(({ name, phone }) => {
    const called = name?.display || [name?.given, name?.family].filter(Boolean).join(' ');
    return `Contact: ${[called, phone?.[0]?.value].filter(Boolean).join(', ')}`;
  });
  return lines.join('\n');
}

/** What the daemon does not have cannot be fetched. */
function filesOf({ attachments, timestamp }: SignalMessage, chat: Chat): readonly IncomingFileRef[] {
  return (attachments ?? []).flatMap(({ id, filename, contentType, size }, at): IncomingFileRef[] => {
    if (!id) return [];
    const name = filename || `${kindOf(contentType)}-${timestamp}-${at + 1}${extensionOf(id)}`;
    const from = chat.kind === 'group' ? { groupId: chat.id } : { recipient: chat.id };
    return [{ name, ...(size ? { size } : {}), ref: { id, ...from } }];
  });
}

function kindOf(contentType: string | null | undefined): string {
  const [, kind = 'file'] = /^(image|audio|video)\//.exec(contentType ?? '') ?? [];
  return kind;
}

/** The daemon names its files by their kind. */
function extensionOf(id: string): string {
  return /\.\w{1,8}$/.exec(id)?.[0] ?? '';
}
