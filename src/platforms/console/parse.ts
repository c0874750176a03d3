// What a line of the input means. Pure.

import { z } from 'zod';
import { jsonOf } from '../../base/json-of.ts';
import type { Chat, PlatformEvent } from '../platform.ts';

const CONSOLE_CHAT: Chat = { id: 'console', kind: 'private' };
const PERSON = 'console';
const ID = z.string().min(1).max(256);

const place = {
  id: ID.optional(),
  chat: ID.optional(),
  kind: z.enum(['private', 'group']).optional(),
  thread: ID.optional(),
  sender: ID.optional(),
  name: z.string().max(256).optional(),
  /** Of a program, perhaps ourselves: nobody answers those. */
  bot: z.boolean().optional(),
};

const message = z.object({
  ...place,
  type: z.literal('message'),
  text: z.string(),
  files: z.array(z.object({ name: z.string().min(1).max(1024), base64: z.base64() })).optional(),
  /** In a group: whether the bot is meant. */
  addressed: z.boolean().optional(),
  /** What was said before counts. */
  edited: z.boolean().optional(),
});

const button = z.object({ ...place, type: z.literal('button'), data: z.string(), messageId: ID });

const line = z.discriminatedUnion('type', [message, button]);
type Line = z.infer<typeof line>;

export const fileRef = z.object({ base64: z.base64() });

export type Parsed =
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  /** Nothing to do: an empty line, an edit, a message of a program. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** `newId` names what comes without an id. */
export function parseTextLine(text: string, newId: () => string): Parsed {
  if (text.trim() === '') return { kind: 'ignored' };
  const sender = { id: PERSON, name: PERSON };
  const event = { kind: 'message', id: newId(), chat: CONSOLE_CHAT, sender, text, files: [] } as const;
  return { kind: 'event', event: { ...event, isAddressed: true } };
}

export function parseJsonLine(text: string, newId: () => string): Parsed {
  if (text.trim() === '') return { kind: 'ignored' };
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success) return { kind: 'malformed', reason: z.prettifyError(parsed.error) };
  if (parsed.data.bot || (parsed.data.type === 'message' && parsed.data.edited)) return { kind: 'ignored' };
  return { kind: 'event', event: eventOf(parsed.data, newId) };
}

function eventOf(given: Line, newId: () => string): PlatformEvent {
  const {
    id = newId(),
    chat = CONSOLE_CHAT.id,
    kind = 'private',
    thread,
    sender = PERSON,
    name = sender,
  } = given;
  const common = {
    id,
    chat: { id: chat, kind, ...(thread === undefined ? {} : { thread }) },
    sender: { id: sender, name },
  };
  if (given.type === 'button') {
    return { kind: 'button', ...common, data: given.data, messageId: given.messageId };
  }
  const files = (given.files ?? []).map(({ name: fileName, base64 }) => ({
    name: fileName,
    size: Buffer.byteLength(base64, 'base64'),
    ref: { base64 },
  }));
  const isAddressed = kind === 'private' || (given.addressed ?? false);
  return { kind: 'message', ...common, text: given.text, files, isAddressed };
}
