// One call to a platform for one row of the outbox.

import { isHermesError } from '../base/errors.ts';
import type { Chat, Sent } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { Link } from './links.ts';
import type { OutboxFiles } from './outbox-files.ts';
import { bodyOf, captionOf, chatOf, type OutgoingBody, sentIdsOf, textOf } from './outgoing.ts';

export interface TransmitParts {
  readonly store: Store;
  readonly files: OutboxFiles;
}

/** What waits for a limit goes back to the outbox: only what is really being sent may count as a possible repeat after a crash. */
const limit = 'report';

/** Throws what the platform throws. */
export async function transmit(
  row: OutgoingMessage,
  { connection }: Link,
  { store, files }: TransmitParts,
): Promise<Sent> {
  const body = bodyOf(row);
  const chat = chatOf(row);
  switch (body.kind) {
    case 'file': {
      const bytes = await files.read(body.file);
      const sentIds = sentIdsOf(row);
      return connection.sendFile(chat, { name: body.name, bytes, ...captionOf(body, row), sentIds, limit });
    }
    case 'edit': {
      const before = await store.outbox.find(body.target);
      const done = before && (await changed(before, body, { connection, chat }));
      if (done) return done;
      // What stood there may have arrived although nobody knows its id.
      const interrupted = row.interrupted + (before?.state === 'failed' ? before.interrupted : 0);
      return connection.send(chat, { ...textOf(body, { ...row, interrupted }), limit });
    }
    default:
      return connection.send(chat, { ...textOf(body, row), limit });
  }
}

/** Undefined when there is nothing to change: it never arrived, is gone, or the platform cannot. */
async function changed(
  before: OutgoingMessage,
  { text }: Extract<OutgoingBody, { kind: 'edit' }>,
  { connection, chat }: Pick<Link, 'connection'> & { readonly chat: Chat },
): Promise<Sent | undefined> {
  // Buttons are on the last one of several.
  const id = sentIdsOf(before).at(-1);
  if (!connection.edit || id === undefined) return undefined;
  try {
    await connection.edit(chat, id, { text });
    return { ids: [id] };
  } catch (error) {
    if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) throw error;
    return undefined;
  }
}
