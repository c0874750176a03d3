// Messages of the inbox that cannot be read any more: they cost nobody else an answer.
import type { IncomingMessage } from '../store/inbox.ts';
import { addressOfSession } from './address.ts';
import { isReadable } from './incoming.ts';
import type { IntakeContext } from './intake.ts';

const DAMAGED = 'A message of yours was damaged before I could answer it. Send it again.';

/** Those that can be read. The others are done with, and their chats are told. */
export async function withoutDamaged(
  { parts, delivery }: IntakeContext,
  rows: readonly IncomingMessage[],
): Promise<readonly IncomingMessage[]> {
  const { store, log } = parts.world;
  for (const { seq, sessionId } of rows.filter(row => !isReadable(row))) {
    log.error({ seq }, 'a message of the inbox is damaged');
    const session = await store.sessions.find(sessionId);
    const to = session && { address: addressOfSession(session), sessionId };
    await delivery.sendWith(to ? [{ to, bodies: [{ kind: 'text', text: DAMAGED }] }] : [], ({ inbox }) =>
      inbox.setAside([seq]),
    );
  }
  return rows.filter(isReadable);
}
