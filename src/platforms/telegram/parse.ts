// An update of Telegram as an event of the gateway, or nothing: bots, channels, edits and what is malformed are no events.
// Pure.
import type { Chat, IncomingFileRef, PlatformEvent, Sender } from '../platform.ts';
import {
  type Message,
  nameOf,
  originShape,
  type Press,
  type TelegramFile,
  type User,
  updateShape,
} from './update.ts';

/** The kinds of updates that are asked for; an edit is not among them, so what was said first counts. */
export const WANTED_UPDATES = ['message', 'callback_query'] as const;

/** Our own account. */
export interface Account {
  readonly id: number;
  readonly username: string;
}

export function parseUpdate(update: unknown, account: Account): PlatformEvent | undefined {
  const { data } = updateShape.safeParse(update);
  if (data?.message) return parseMessage(data.message, account);
  return data?.callback_query ? parsePress(data.callback_query) : undefined;
}

function parseMessage(message: Message, account: Account): PlatformEvent | undefined {
  const { from, chat } = message;
  const isPerson = from !== undefined && !from.is_bot && from.id !== account.id;
  if (!isPerson || message.sender_chat || message.via_bot || chat.type === 'channel') return undefined;
  const files = filesOf(message);
  const text = textOf(message, account);
  if (text === '' && files.length === 0) return undefined;
  return {
    kind: 'message',
    id: String(message.message_id),
    chat: chatOf(message),
    sender: senderOf(from),
    text,
    files,
    ...forwardOf(message),
    isAddressed: isAddressed(message, account),
  };
}

function parsePress({ id, from, message, data }: Press): PlatformEvent | undefined {
  if (from.is_bot || message.chat.type === 'channel') return undefined;
  return {
    kind: 'button',
    id,
    chat: chatOf(message),
    sender: senderOf(from),
    data,
    messageId: String(message.message_id),
  };
}

/** A thread is a topic; outside of forums Telegram numbers chains of replies, which are none. */
function chatOf({
  chat,
  is_topic_message,
  message_thread_id,
}: Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>): Chat {
  const isTopic = is_topic_message === true && message_thread_id !== undefined;
  return {
    id: String(chat.id),
    kind: chat.type === 'private' ? 'private' : 'group',
    ...(isTopic ? { thread: String(message_thread_id) } : {}),
  };
}

function senderOf(user: User): Sender {
  return { id: String(user.id), name: nameOf(user) };
}

/** Whatever says that it is passed on counts, also what nobody can read. */
function forwardOf(message: Message): { readonly forwardedFrom?: string } {
  const { forward_origin, forward_from, forward_from_chat, forward_sender_name, forward_date } = message;
  const said = [forward_origin, forward_from, forward_from_chat, forward_sender_name, forward_date];
  if (said.every(each => each === undefined || each === null)) return {};
  const older = {
    sender_user: forward_from,
    sender_user_name: forward_sender_name,
    sender_chat: forward_from_chat,
  };
  const name = originShape.safeParse(forward_origin ?? older).data;
  return { forwardedFrom: name || 'somebody else' };
}

interface Marked {
  readonly type: string;
  readonly text: string;
  readonly offset: number;
  readonly userId: number | undefined;
}

/** Mentions and commands in the text or caption, with what they say. */
function marksOf(message: Message): readonly Marked[] {
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  return entities.map(({ type, offset, length, user }) => ({
    type,
    offset,
    text: text.slice(offset, offset + length),
    userId: user?.id,
  }));
}

function isAddressed(message: Message, account: Account): boolean {
  if (message.chat.type === 'private') return true;
  const own = `@${account.username.toLowerCase()}`;
  const marks = marksOf(message).map(mark => ({ ...mark, text: mark.text.toLowerCase() }));
  // `/stop@another_bot` is for that bot, also in a reply to us.
  if (marks.some(({ type, text }) => type === 'bot_command' && text.includes('@') && !text.endsWith(own))) {
    return false;
  }
  const isMentioned = marks.some(
    ({ type, text, userId }) =>
      (type === 'mention' && text === own) ||
      (type === 'bot_command' && text.endsWith(own)) ||
      (type === 'text_mention' && userId === account.id),
  );
  const replied = message.reply_to_message;
  // Every message of a topic counts as a reply to the one that opened it.
  const isReply = replied?.from?.id === account.id && replied.forum_topic_created === undefined;
  return isMentioned || isReply;
}

/** Without the mention that it begins with, and without our name behind a command: both only say whom it is for. */
function textOf(message: Message, account: Account): string {
  const text = message.text ?? message.caption ?? otherText(message);
  const own = `@${account.username.toLowerCase()}`;
  const first = marksOf(message).find(({ offset }) => offset === 0);
  if (!first?.text.toLowerCase().endsWith(own)) return text;
  const rest = text.slice(first.text.length);
  if (first.type === 'bot_command') return first.text.slice(0, -own.length) + rest;
  return first.type === 'mention' ? rest.replace(/^[\s,:]+/, '') || text : text;
}

function otherText({ sticker, location, contact }: Message): string {
  if (sticker) return sticker.emoji ?? '';
  if (location) return `Location: ${location.latitude}, ${location.longitude}`;
  return contact ? `Contact: ${contact.first_name}, ${contact.phone_number}` : '';
}

function filesOf(message: Message): readonly IncomingFileRef[] {
  const id = message.message_id;
  // The last photo is the largest.
  const found: readonly (readonly [TelegramFile | undefined, string])[] = [
    [message.document, `document-${id}`],
    [message.photo?.at(-1), `photo-${id}.jpg`],
    [message.voice, `voice-${id}.ogg`],
    [message.audio, `audio-${id}.mp3`],
    [message.video, `video-${id}.mp4`],
    [message.video_note, `video-${id}.mp4`],
  ];
  return found.flatMap(([file, name]) => {
    if (!file) return [];
    const size = file.file_size;
    return [
      {
        name: file.file_name || name,
        ...(size === undefined ? {} : { size }),
        ref: { fileId: file.file_id },
      },
    ];
  });
}
