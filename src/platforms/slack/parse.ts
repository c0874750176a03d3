// A payload of Slack as an event of the gateway, or nothing: bots, edits, joins and what is malformed are no events. Pure.
import type { Chat, IncomingFileRef, PlatformEvent } from '../platform.ts';
import {
  eventShape,
  fileShape,
  messageShape,
  pressShape,
  type SlackFile,
  type SlackMessage,
  shareShape,
  slashShape,
} from './payload.ts';
import { hasMention, plainText, withoutMention } from './plain-text.ts';

/** Our own account. */
export interface Account {
  readonly userId: string;
  readonly userName: string;
}

export interface ParseOptions {
  readonly account: Account;
  /** Whether a mention in a channel opens a thread. */
  readonly replies: 'in-thread' | 'in-channel';
  /** Names of commands, which `/hermes` is followed by. */
  readonly commands: ReadonlySet<string>;
}

export interface Parsed {
  /** The sender is named by the id; a name is looked up by whoever needs one. */
  readonly event: PlatformEvent;
  /** The channel of a private chat, whose own id is the person's. */
  readonly channel?: string;
  /** A message that can carry a reaction. */
  readonly isMessage: boolean;
}

/** People's own messages; everything else with a subtype is an edit, a join, a bot's, or news of Slack's. */
const SPOKEN = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';
/** Buttons of ours; the data is in their value. */
export const ACTION = 'hermes';

export function parseEnvelope(type: string, payload: unknown, options: ParseOptions): Parsed | undefined {
  if (type === 'events_api') return parseMessage(eventShape.safeParse(payload).data?.event, options);
  if (type === 'slash_commands') return parseSlash(payload, options);
  return type === 'interactive' ? parsePress(payload) : undefined;
}

function parseMessage(event: unknown, options: ParseOptions): Parsed | undefined {
  const { data: message } = messageShape.safeParse(event);
  if (!message || !isPersons(message, options.account)) return undefined;
  const shared = (message.attachments ?? []).flatMap(each => shareShape.safeParse(each).data ?? []);
  const files = [message.files ?? [], ...shared.map(each => each.files ?? [])].flat().flatMap(fileOf);
  const { text, ...forwarded } = wordsOf(message, shared, options.account);
  if (text === '' && files.length === 0) return undefined;
  const chat = chatOf(message, options);
  return {
    event: {
      kind: 'message',
      id: message.ts,
      chat,
      sender: { id: message.user, name: message.user },
      text,
      files,
      ...forwarded,
      isAddressed: chat.kind === 'private' || isAddressed(message, options.account),
    },
    ...(chat.kind === 'private' ? { channel: message.channel } : {}),
    isMessage: true,
  };
}

function isPersons(message: SlackMessage, { userId }: Account): boolean {
  const { subtype, bot_id, hidden, user } = message;
  const isBot = (bot_id ?? undefined) !== undefined || user === userId || user === SLACKBOT;
  return SPOKEN.includes(subtype) && !isBot && hidden !== true;
}

/** A private chat is known by its person, so that it is the same one wherever they speak to us. */
function chatOf(message: SlackMessage, { replies }: ParseOptions): Chat {
  const { channel, channel_type, user, ts } = message;
  const isPrivate = isDirect(channel) || channel_type === 'im';
  const opened = !isPrivate && replies === 'in-thread' ? ts : undefined;
  const thread = threadOf(message) ?? opened;
  return {
    id: isPrivate ? user : channel,
    kind: isPrivate ? 'private' : 'group',
    ...(thread === undefined ? {} : { thread }),
  };
}

/** A message that others have answered in a thread has its own stamp there, and stands outside of it. */
function threadOf({ ts, thread_ts }: Pick<SlackMessage, 'ts' | 'thread_ts'>): string | undefined {
  return thread_ts === ts ? undefined : thread_ts;
}

function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}

function isAddressed({ type, text, parent_user_id }: SlackMessage, { userId }: Account): boolean {
  return type === 'app_mention' || hasMention(text ?? '', userId) || parent_user_id === userId;
}

type Share = ReturnType<typeof shareShape.parse>;

/** What they say themselves; what they only pass on is somebody else's, and stands as a quotation under their own words. */
function wordsOf(
  message: SlackMessage,
  shared: readonly Share[],
  { userId, userName }: Account,
): { readonly text: string; readonly forwardedFrom?: string } {
  const said = message.text ?? '';
  const own = plainText(withoutMention(said, userId)) || (said.trim() === '' ? '' : `@${userName}`);
  const [first] = shared;
  if (!first) return { text: own };
  const passed = shared.map(({ text, fallback }) => plainText(text || fallback || '')).join('\n\n');
  const name = first.author_name || first.author_subname || 'somebody else';
  if (own === '') return { text: passed, forwardedFrom: name };
  const quoted = passed.split(/\r\n?|[\n\u2028\u2029]/).map(line => `> ${line}`);
  return { text: [own, '', `Passed on from ${JSON.stringify(name)}:`, ...quoted].join('\n') };
}

function fileOf(given: unknown): readonly IncomingFileRef[] {
  const { data } = fileShape.safeParse(given);
  // It is gone, or hidden by the plan of the workspace.
  if (!data || data.mode === 'tombstone' || data.mode === 'hidden_by_limit') return [];
  return [
    { name: nameOf(data), ...(data.size === undefined ? {} : { size: data.size }), ref: { fileId: data.id } },
  ];
}

function nameOf({ name, title, id }: SlackFile): string {
  return name || title || `file-${id}`;
}

/** Wherever it is typed, it is between the person and us: nobody else sees it, and nobody sees the answer. */
function parseSlash(payload: unknown, { commands }: ParseOptions): Parsed | undefined {
  const { data } = slashShape.safeParse(payload);
  if (!data) return undefined;
  const { user_id, channel_id, trigger_id } = data;
  return {
    event: {
      kind: 'message',
      id: `slash-${trigger_id}`,
      chat: { id: user_id, kind: 'private' },
      sender: { id: user_id, name: user_id },
      text: commandText(data.text, commands),
      files: [],
      isAddressed: true,
    },
    ...(isDirect(channel_id) ? { channel: channel_id } : {}),
    isMessage: false,
  };
}

/** `stop` and `/stop` are the command; what begins with no command's name is said to the agent. */
function commandText(typed: string, commands: ReadonlySet<string>): string {
  const text = plainText(typed).trim();
  if (text === '') return '/help';
  const [word = ''] = text.toLowerCase().split(/\s/);
  return commands.has(word) ? `/${text}` : text;
}

function parsePress(payload: unknown): Parsed | undefined {
  const { data } = pressShape.safeParse(payload);
  const [action] = data?.actions ?? [];
  if (!data || !action?.action_id.startsWith(ACTION)) return undefined;
  const { user, channel, message } = data;
  const isPrivate = isDirect(channel.id);
  const thread = threadOf(message);
  return {
    event: {
      kind: 'button',
      id: pressId({ channel: channel.id, user: user.id, thread }, message.ts, action.action_ts),
      chat: {
        id: isPrivate ? user.id : channel.id,
        kind: isPrivate ? 'private' : 'group',
        ...(thread === undefined ? {} : { thread }),
      },
      sender: { id: user.id, name: user.id },
      data: action.value,
      messageId: message.ts,
    },
    ...(isPrivate ? { channel: channel.id } : {}),
    isMessage: false,
  };
}

/** Where the answer to a press goes; it stands in the id of its event, so that nothing has to be remembered. */
export interface PressPlace {
  readonly channel: string;
  readonly user: string;
  readonly thread?: string | undefined;
}

function pressId({ channel, user, thread = '' }: PressPlace, ts: string, actionTs: string): string {
  return [channel, user, thread, ts, actionTs].join(':');
}

export function pressPlace(eventId: string): PressPlace | undefined {
  const [, channel, user, thread] = /^([A-Z0-9]+):([A-Z0-9]+):([\d.]*):[\d.]+:/.exec(eventId) ?? [];
  if (channel === undefined || user === undefined) return undefined;
  return { channel, user, ...(thread ? { thread } : {}) };
}
