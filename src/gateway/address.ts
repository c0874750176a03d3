// Where a message goes: one chat of one platform.
import type { Chat } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Session } from '../store/sessions.ts';

export interface Address {
  readonly platform: string;
  readonly chat: Chat;
}

export function isSameChat(a: Address, b: Address): boolean {
  return a.platform === b.platform && a.chat.id === b.chat.id && a.chat.thread === b.chat.thread;
}

/** Where a session's messages come from; its key says what kind of chat that is (session-key.ts). */
export function addressOfSession({
  platform,
  chat,
  thread,
  key,
}: Pick<Session, 'platform' | 'chat' | 'thread' | 'key'>): Address {
  const kind = key.split(':')[1] === 'group' ? 'group' : 'private';
  return { platform, chat: { id: chat, kind, ...(thread === null ? {} : { thread }) } };
}

/** The columns of a row that say where it goes. */
export function addressColumns({ platform, chat }: Address) {
  return { platform, chat: chat.id, ...(chat.thread === undefined ? {} : { thread: chat.thread }) };
}

/** Whose turn it is in a chat does not depend on its threads: platforms limit the chat as a whole. */
export function laneKey({ platform, chat }: Pick<OutgoingMessage, 'platform' | 'chat'>): string {
  return JSON.stringify([platform, chat]);
}
