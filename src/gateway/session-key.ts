// Which conversation a message belongs to. The key names platform, chat, thread and, in groups, the person; two different
// ones never read the same, whatever ids a platform gives (P3).
import type { Chat, Sender } from '../platforms/platform.ts';
import type { NewSession } from '../store/sessions.ts';

export interface SessionPlace {
  readonly platform: string;
  readonly chat: Chat;
  readonly sender: Pick<Sender, 'id'>;
  /** The setting `group_sessions_per_user`. */
  readonly groups: 'session-per-person' | 'one-session';
}

/** The session of that place, for `sessions.enter`. */
export function sessionOf({ platform, chat, sender, groups }: SessionPlace): NewSession {
  const { id, kind, thread } = chat;
  const person = kind === 'group' && groups === 'session-per-person' ? sender.id : undefined;
  const key = [
    ...[platform, kind, id].map(escaped),
    ...(thread === undefined ? [] : [`thread=${escaped(thread)}`]),
    ...(person === undefined ? [] : [`person=${escaped(person)}`]),
  ].join(':');
  return {
    ...{ key, kind: 'messaging', platform, chat: id },
    ...(thread === undefined ? {} : { thread }),
    ...(person === undefined ? {} : { person }),
  };
}

/** Control characters and halves of characters do not survive in every database. */
function escaped(id: string): string {
  return id.replace(/[%:=]|\p{Cc}|\p{Cs}/gu, unsafe => `%${unsafe.charCodeAt(0).toString(16)}.`);
}
