// A webhook of WhatsApp as what people said and what did not arrive. Our own echo, other numbers of the same app, groups that
// are not listed and what is malformed are nothing. Pure.
import type { Chat, IncomingFileRef, PlatformEvent } from '../platform.ts';
import { isPhone, isWireUserId, type WireIds } from './identity.ts';
import {
  changeShape,
  contactShape,
  entryShape,
  messageShape,
  payloadShape,
  statusShape,
  type WireContact,
  type WireMessage,
} from './payload.ts';

/** Our own number, and where else it may speak. */
export interface Account {
  readonly phoneNumberId: string;
  /** In digits, as people mention it; empty when it is not known. */
  readonly number: string;
  readonly groups: readonly string[];
}

/** Something that somebody said; who that is has yet to be found out. */
export interface Said {
  readonly from: WireIds;
  readonly name: string;
  readonly message: WireMessage;
}

/** A message of ours that was accepted and did not arrive. */
export interface FailedStatus {
  readonly id: string;
  readonly code: number | undefined;
  readonly reason: string;
}

export interface Parsed {
  readonly said: readonly Said[];
  readonly failed: readonly FailedStatus[];
}

const LONGEST_ID = 512;

export function parsePayload(payload: unknown, account: Account): Parsed {
  const entries = payloadShape.safeParse(payload).data?.entry ?? [];
  const values = entries
    .flatMap(entry => entryShape.safeParse(entry).data?.changes ?? [])
    .flatMap(change => changeShape.safeParse(change).data?.value ?? [])
    .filter(({ metadata }) => metadata.phone_number_id === account.phoneNumberId);
  return {
    said: inOrder(
      values.flatMap(({ messages = [], contacts = [] }) => {
        const known = contacts.flatMap(contact => contactShape.safeParse(contact).data ?? []);
        return messages.flatMap(message => saidIn(message, known, account) ?? []);
      }),
    ),
    failed: values.flatMap(({ statuses = [] }) => statuses.flatMap(status => failedIn(status) ?? [])),
  };
}

/** By when it was said, where all of them say that; what comes together may come in any order. */
function inOrder(said: readonly Said[]): readonly Said[] {
  const timeOf = ({ message }: Said): number => Number(message.timestamp ?? Number.NaN);
  if (!said.every(each => Number.isFinite(timeOf(each)))) return said;
  return said.toSorted((one, other) => timeOf(one) - timeOf(other));
}

function saidIn(wire: unknown, contacts: readonly WireContact[], account: Account): Said | undefined {
  const { data: message } = messageShape.safeParse(wire);
  if (!message || message.id === '' || message.id.length > LONGEST_ID) return undefined;
  const contact = contactOf(message, contacts);
  const from = idsOf(message, contact);
  if (!from || from.phone === account.number) return undefined;
  if (message.group_id !== undefined && !account.groups.includes(message.group_id)) return undefined;
  const { name, username } = contact?.profile ?? {};
  return { from, message, name: name || username || from.phone || from.userId || '' };
}

function contactOf(
  { from, from_user_id }: WireMessage,
  contacts: readonly WireContact[],
): WireContact | undefined {
  const same = (id: string | undefined, other: string | undefined): boolean =>
    id !== undefined && id === other;
  return contacts.find(
    ({ wa_id, user_id }) =>
      same(wa_id, from) || same(user_id, from_user_id) || same(user_id, from) || same(wa_id, from_user_id),
  );
}

/** `from` may be a number or the other id; who is neither is nobody. */
function idsOf({ from, from_user_id }: WireMessage, contact: WireContact | undefined): WireIds | undefined {
  const given = [from, from_user_id, contact?.wa_id, contact?.user_id].filter(id => id !== undefined);
  const phone = given.find(isPhone);
  const userId = given.find(isWireUserId);
  if (phone === undefined && userId === undefined) return undefined;
  return { ...(phone === undefined ? {} : { phone }), ...(userId === undefined ? {} : { userId }) };
}

function failedIn(wire: unknown): FailedStatus | undefined {
  const { data } = statusShape.safeParse(wire);
  const [error] = data?.errors ?? [];
  const reason = error?.error_data?.details || error?.title || 'no reason given';
  return data && { id: data.id, code: error?.code, reason };
}

/** The event, once it is known who said it; undefined for what means nothing here: reactions, orders, edits and the like. */
export function eventOf(
  { message, name }: Said,
  senderId: string,
  account: Account,
): PlatformEvent | undefined {
  const sender = { id: senderId, name };
  const chat = chatOf(message, senderId);
  const data = pressedIn(message);
  if (data !== undefined) {
    return { kind: 'button', id: message.id, chat, sender, data, messageId: message.context?.id ?? '' };
  }
  const files = filesOf(message);
  const text = textOf(message, account);
  if (text === '' && files.length === 0) return undefined;
  return {
    kind: 'message',
    id: message.id,
    chat,
    sender,
    text,
    files,
    ...forwardOf(message),
    isAddressed: isAddressed(message, account),
  };
}

function chatOf({ group_id }: WireMessage, senderId: string): Chat {
  return group_id === undefined ? { id: senderId, kind: 'private' } : { id: group_id, kind: 'group' };
}

function pressedIn({ type, interactive }: WireMessage): string | undefined {
  if (type !== 'interactive') return undefined;
  return interactive?.button_reply?.id ?? interactive?.list_reply?.id;
}

/** WhatsApp says that a message is passed on, and not whose it was. */
function forwardOf({ context }: WireMessage): { readonly forwardedFrom?: string } {
  const isForwarded = [context?.forwarded, context?.frequently_forwarded].some(
    mark => mark !== undefined && mark !== null && mark !== false,
  );
  return isForwarded ? { forwardedFrom: 'somebody else' } : {};
}

/** A mention is the number behind an @, and a reply says whose message it answers. */
function isAddressed(message: WireMessage, { number }: Account): boolean {
  if (message.group_id === undefined) return true;
  if (number === '') return false;
  return message.context?.from === number || mentionOf(number).test(wordsOf(message));
}

/** Not the beginning of a longer number. */
function mentionOf(number: string): RegExp {
  return new RegExp(`@${number}(?!\\d)`);
}

/** Without the mention that it begins with: that only says whom it is for. */
function textOf(message: WireMessage, { number }: Account): string {
  const text = wordsOf(message);
  if (message.group_id === undefined || number === '') return text;
  return text.replace(new RegExp(`^${mentionOf(number).source}[\\s,:]*`), '') || text;
}

function wordsOf(message: WireMessage): string {
  const { type, text, location, contacts = [], button } = message;
  if (type === 'text') return text?.body ?? '';
  if (type === 'button') return button?.text ?? '';
  if (type === 'location' && location) {
    const { latitude, longitude, name } = location;
    return `Location: ${latitude}, ${longitude}${name ? ` (${name})` : ''}`;
  }
  if (type === 'contacts') {
    return contacts
      .map(({ name, phones = [] }) =>
        ['Contact: '.concat(name.formatted_name), ...phones.flatMap(({ phone }) => phone ?? [])].join(', '),
      )
      .join('\n');
  }
  return mediaOf(message)?.caption ?? '';
}

const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'] as const;
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

function mediaOf(message: WireMessage) {
  const kind = MEDIA.find(each => each === message.type);
  return kind === undefined ? undefined : message[kind];
}

function filesOf(message: WireMessage): readonly IncomingFileRef[] {
  const file = mediaOf(message);
  if (!file) return [];
  const [type = ''] = (file.mime_type ?? '').split(';');
  const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : 'bin';
  const end = message.id.replace(/\W/g, '').slice(-8);
  return [{ name: file.filename || `${message.type}-${end}.${ending}`, ref: { mediaId: file.id } }];
}
