// One call to a platform for one row of the outbox.

import { isHermesError } from '../base/errors.ts';
import type { Sent } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { Link } from './links.ts';
import type { OutboxFiles } from './outbox-files.ts';
import { bodyOf, captionOf, chatOf, type OutgoingBody, sentIdsOf, textOf } from './outgoing.ts';

export interface TransmitParts {
  readonly store: Store;
  readonly files: OutboxFiles;
}

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
      return connection.sendFile(chat, { name: body.name, bytes, ...captionOf(body, row) });
    }
    case 'edit':
      return (await changed(row, body, { connection, store })) ?? connection.send(chat, textOf(body, row));
    default:
      return connection.send(chat, textOf(body, row));
  }
}

/** Undefined when there is nothing to change: it never arrived, is gone, or the platform cannot. */
async function changed(
  row: OutgoingMessage,
  { target, text }: Extract<OutgoingBody, { kind: 'edit' }>,
  { connection, store }: Pick<Link, 'connection'> & Pick<TransmitParts, 'store'>,
): Promise<Sent | undefined> {
  const before = await store.outbox.find(target);
  // Buttons are on the last one of several.
  const id = before && sentIdsOf(before).at(-1);
  if (!connection.edit || id === undefined) return undefined;
  try {
    await connection.edit(chatOf(row), id, { text });
    return { ids: [id] };
  } catch (error) {
    if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) throw error;
    return undefined;
  }
}
