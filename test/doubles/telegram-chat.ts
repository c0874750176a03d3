// What the bot has sent, and what people say to it, in the shapes of the Bot API.
import type { FormFile } from './multipart.ts';
import { type Formatted, readHtml } from './telegram-html.ts';

export interface SentButton {
  readonly label: string;
  readonly data: string;
}

/** A message of the bot as people see it now. */
export interface SentMessage {
  readonly id: string;
  readonly chat: string;
  readonly thread?: string;
  readonly text: string;
  /** Every text it had, the oldest first. */
  readonly versions: readonly string[];
  readonly entities: Formatted['entities'];
  readonly buttons: readonly (readonly SentButton[])[];
  readonly file?: FormFile & { readonly kind: string };
}

export interface Person {
  readonly id: number;
  readonly name?: string;
  readonly username?: string;
  readonly isBot?: boolean;
}

export interface Place {
  /** Groups have negative ids. */
  readonly id: number;
  readonly kind: 'private' | 'group';
  /** A topic of the group. */
  readonly thread?: number;
}

export interface PersonalFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How it is sent; absent = as a document. */
  readonly kind?: 'document' | 'photo' | 'voice';
}

export interface SayOptions {
  /** Absent = the private chat of the person. */
  readonly chat?: Place;
  readonly file?: PersonalFile;
  /** A message of the bot that is replied to. */
  readonly replyTo?: string;
  /** The id of an earlier message: this is an edit of it. */
  readonly edits?: number;
}

export type Params = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 4096;
const LONGEST_CAPTION = 1024;

/** Why Telegram would refuse the text, or what people would see. */
export function readText(params: Params, field: 'text' | 'caption'): Formatted | { refused: string } {
  const raw = typeof params[field] === 'string' ? params[field] : '';
  const seen = params['parse_mode'] === 'HTML' ? readHtml(raw) : { text: raw, entities: [] };
  const text = seen.text.trim();
  if (field === 'text' && text === '') return { refused: 'Bad Request: message text is empty' };
  const most = field === 'text' ? LONGEST_TEXT : LONGEST_CAPTION;
  if (text.length > most) return { refused: `Bad Request: message ${field} is too long` };
  return { text, entities: seen.entities };
}

/** Buttons of the parameters; a text says why Telegram would refuse them. */
export function readButtons(markup: unknown): readonly (readonly SentButton[])[] | string {
  const parsed: unknown = typeof markup === 'string' ? JSON.parse(markup) : markup;
  const rows =
    typeof parsed === 'object' && parsed !== null && 'inline_keyboard' in parsed
      ? parsed.inline_keyboard
      : [];
  // Our own adapter made it; what is wrong with it shows in the test.
  const buttons = (rows as { text: string; callback_data: string }[][]).map(row =>
    row.map(({ text, callback_data }) => ({ label: text, data: callback_data })),
  );
  const tooLong = buttons.flat().some(({ data }) => Buffer.byteLength(data) > 64 || data === '');
  return tooLong ? 'Bad Request: BUTTON_DATA_INVALID' : buttons;
}

export function userOf({ id, name = `Person ${id}`, username, isBot = false }: Person): Params {
  return { id, is_bot: isBot, first_name: name, ...(username === undefined ? {} : { username }) };
}

export function chatOf({ id, kind }: Place): Params {
  return kind === 'private'
    ? { id, type: 'private', first_name: `Person ${id}` }
    : { id, type: 'supergroup', title: `Group ${id}` };
}

/** Mentions and commands in a text, as Telegram marks them. */
export function entitiesOf(text: string): readonly Params[] {
  const found = [...text.matchAll(/(?<=^|\s)\/\w+(?:@\w+)?|(?<=^|\s)@\w+/g)];
  return found.map(match => ({
    type: match[0].startsWith('/') ? 'bot_command' : 'mention',
    offset: match.index,
    length: match[0].length,
  }));
}

export function filePart({ kind = 'document', name, bytes }: PersonalFile, fileId: string): Params {
  const file = { file_id: fileId, file_unique_id: `u${fileId}`, file_size: bytes.length };
  if (kind === 'photo') {
    const small = { ...file, file_id: `${fileId}-small`, file_size: 10, width: 90, height: 90 };
    return { photo: [small, { ...file, width: 900, height: 900 }] };
  }
  if (kind === 'voice') return { voice: { ...file, duration: 1, mime_type: 'audio/ogg' } };
  return { document: { ...file, file_name: name, mime_type: 'application/octet-stream' } };
}

/** Joins, other bots, channels, pinned messages, reactions, polls: updates that are said to nobody. */
export function bustleUpdates(base: Params, bot: Omit<Person, 'name' | 'isBot'>): readonly Params[] {
  const other = userOf({ id: 78, username: 'other_bot', isBot: true });
  const self = userOf({ ...bot, isBot: true });
  const from = userOf({ id: 77 });
  const channel = { id: -100555, type: 'channel', title: 'News' };
  const reaction = { type: 'emoji', emoji: '👍' };
  const member = { user: from, status: 'member' };
  return [
    { message: { ...base, from, new_chat_members: [from] } },
    { message: { ...base, from, left_chat_member: from } },
    { message: { ...base, from, new_chat_title: 'renamed' } },
    { message: { ...base, from, pinned_message: { ...base, from, text: 'pinned' } } },
    { message: { ...base, from: other, text: `@${bot.username} beep` } },
    { message: { ...base, from: self, text: 'my own' } },
    {
      message: {
        ...base,
        from: userOf({ id: 777000 }),
        sender_chat: channel,
        is_automatic_forward: true,
        text: 'news',
      },
    },
    { edited_message: { ...base, from, edit_date: base['date'], text: `@${bot.username} changed` } },
    { channel_post: { ...base, chat: channel, sender_chat: channel, text: `@${bot.username} in a channel` } },
    { edited_channel_post: { ...base, chat: channel, sender_chat: channel, text: 'changed there' } },
    { message_reaction: { ...base, user: from, old_reaction: [], new_reaction: [reaction] } },
    {
      my_chat_member: {
        ...base,
        from,
        old_chat_member: member,
        new_chat_member: { user: self, status: 'member' },
      },
    },
    { poll: { id: 'p1', question: 'x', options: [], total_voter_count: 0, is_closed: false } },
  ];
}
