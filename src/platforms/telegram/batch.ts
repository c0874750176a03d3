// Takes in what one call of getUpdates brought: chats side by side, each in its order, and says how far it may be
// acknowledged.
import type { PlatformEvent } from '../platform.ts';
import { type Account, parseUpdate } from './parse.ts';
import { sentAtShape, updateIdShape } from './update.ts';

export interface BatchOptions {
  readonly account: Account;
  readonly receive: (event: PlatformEvent) => Promise<void>;
  /** Those that were received before, and are handed out again only because another was not. */
  readonly known: ReadonlySet<number>;
}

export interface BatchOutcome {
  /** What may be asked for next: everything before it was received. */
  readonly offset: number;
  /** Received although something before it was not. */
  readonly ahead: ReadonlySet<number>;
  /** Why something was not received; it is handed out again. */
  readonly failure?: unknown;
}

interface Entry {
  readonly id: number;
  readonly event: PlatformEvent | undefined;
}

/** Undefined when the updates have no ids: then nothing could ever be acknowledged. */
export async function takeIn(
  updates: readonly unknown[],
  { account, receive, known }: BatchOptions,
): Promise<BatchOutcome | undefined> {
  const entries = updates.flatMap(update => {
    const id = updateIdShape.safeParse(update).data?.update_id;
    return id === undefined ? [] : [{ id, event: dated(parseUpdate(update, account), update) }];
  });
  if (entries.length === 0) return undefined;
  const received = new Set(known);
  const groups = Map.groupBy(entries, ({ event }) => event?.chat.id);
  const ends = await Promise.allSettled(
    [...groups.values()].map(group => takeInOrder(group, received, receive)),
  );
  const failed = ends.find(end => end.status === 'rejected');
  const missing = entries.filter(({ id }) => !received.has(id)).map(({ id }) => id);
  const offset = missing.length > 0 ? Math.min(...missing) : Math.max(...entries.map(({ id }) => id)) + 1;
  return {
    offset,
    ahead: new Set([...received].filter(id => id > offset)),
    ...(failed ? { failure: failed.reason } : {}),
  };
}

function dated(event: PlatformEvent | undefined, update: unknown): PlatformEvent | undefined {
  const date = sentAtShape.safeParse(update).data?.message.date;
  return event?.kind === 'message' && date !== undefined ? { ...event, sentAt: date * 1000 } : event;
}

/** Throws where one was not received; what follows it in the chat waits for it. */
async function takeInOrder(
  group: readonly Entry[],
  received: Set<number>,
  receive: BatchOptions['receive'],
): Promise<void> {
  for (const { id, event } of group) {
    if (received.has(id)) continue;
    if (event) await receive(event);
    received.add(id);
  }
}
