// What is spoken over the WebSocket: JSON in text frames, described in docs/platforms/web.md. Pure.

import { z } from 'zod';
import { jsonOf } from '../../base/json-of.ts';
import type { Button, CommandHint } from '../platform.ts';

export const VERSION = 1;
export const MAX_TEXT = 32_768;
/** Bytes; longer frames end the connection. */
export const MAX_FRAME = 256 * 1024;
export const MAX_FILE = 50 * 1024 * 1024;
export const MAX_BUTTON_DATA = 256;
const MAX_FILES = 10;

const id = z.string().regex(/^[\w-]{1,64}$/);
/** Of one of the chats that a person has. */
const chatName = z.string().regex(/^[a-z0-9-]{1,32}$/);
/** Whom a login is for. */
export const personName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);

const frame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    version: z.literal(VERSION),
    chat: chatName.default('main'),
    /** The last number that was seen; absent = nothing yet. */
    after: z.int().min(0).exactOptional(),
  }),
  z.object({
    type: z.literal('message'),
    id,
    text: z.string().max(MAX_TEXT),
    files: z.array(id).max(MAX_FILES).default([]),
  }),
  z.object({ type: z.literal('button'), id, messageId: id, data: z.string().max(MAX_BUTTON_DATA) }),
]);

export type ClientFrame = z.infer<typeof frame>;

export interface SentFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** Something said in a chat, as it stands now. A change gives it a new number. */
export interface Entry {
  readonly seq: number;
  readonly id: string;
  readonly from: 'agent' | 'you';
  readonly text: string;
  readonly at: number;
  readonly buttons?: readonly (readonly Button[])[];
  readonly files?: readonly SentFile[];
}

export type ServerFrame =
  | {
      readonly type: 'welcome';
      readonly version: typeof VERSION;
      readonly person: string;
      readonly chat: string;
      readonly last: number;
      /** False when something between `after` and now is not kept any more: what is shown must be cleared first. */
      readonly complete: boolean;
      readonly limits: Readonly<Record<'text' | 'frame' | 'file' | 'files', number>>;
      readonly commands: readonly CommandHint[];
    }
  | ({ readonly type: 'message' } & Entry)
  /** The text has grown by this. */
  | { readonly type: 'delta'; readonly seq: number; readonly id: string; readonly append: string }
  | {
      readonly type: 'edit';
      readonly seq: number;
      readonly id: string;
      readonly text: string;
      readonly buttons?: Entry['buttons'];
    }
  | { readonly type: 'typing' }
  | { readonly type: 'commands'; readonly commands: readonly CommandHint[] }
  /** It is stored, and need not be sent again. */
  | { readonly type: 'ack'; readonly id: string }
  | { readonly type: 'button-answer'; readonly id: string; readonly text: string }
  | { readonly type: 'error'; readonly id?: string; readonly code: string; readonly reason: string };

export const LIMITS = { text: MAX_TEXT, frame: MAX_FRAME, file: MAX_FILE, files: MAX_FILES };

/** Undefined for anything that is no frame of ours. */
export function parseFrame(text: string): ClientFrame | undefined {
  return frame.safeParse(jsonOf(text)).data;
}

/** `person/name`; a person has no slash. */
export function chatId(person: string, name: string): string {
  return `${person}/${name}`;
}

export function chatOf(id: string): { readonly person: string; readonly name: string } | undefined {
  const [person = '', name = '', ...more] = id.split('/');
  const isOne = more.length === 0 && personName.safeParse(person).success && chatName.safeParse(name).success;
  return isOne ? { person, name } : undefined;
}
