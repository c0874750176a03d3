// The store is the queue, and what the gateway has in memory is a copy of it: what stands there and nobody deals with is
// taken up, in order.
import type { IncomingMessage } from '../store/inbox.ts';
import { withoutDamaged } from './damaged.ts';
import { fateOf } from './fate.ts';
import { incomingOf } from './incoming.ts';
import type { IntakeContext } from './intake.ts';
import { byRun, recoverRun } from './recovery.ts';

export async function reconcile(context: IntakeContext): Promise<void> {
  const { parts, delivery, runs } = context;
  const { store, log } = parts.world;
  await delivery.reconcile();
  const left = await leftByRuns(context);
  for (const rows of byRun(left)) {
    // A stop leaves them as a crash would: the next start decides.
    if (runs.isClosing) return;
    log.warn({ run: rows[0].runId }, 'a run whose end was not written down is taken up');
    await recoverRun(context, rows, runId => fateOf(store, runId, new Map()));
  }
  await runs.takeUp(await withoutDamaged(context, await store.inbox.waiting()));
}

/** Taken by runs that are over, without what became of them. Commands of chats act once in each life of the gateway. */
async function leftByRuns(context: IntakeContext): Promise<readonly IncomingMessage[]> {
  const { parts, runs } = context;
  const { inbox } = parts.world.store;
  const isLeft = ({ runId }: IncomingMessage): boolean => runId !== null && !runs.knows(runId);
  const look = async (): Promise<readonly IncomingMessage[]> =>
    (await withoutDamaged(context, (await inbox.unfinished()).filter(isLeft))).filter(
      row => incomingOf(row).isCommand !== true,
    );
  const seen = new Set((await look()).map(({ seq }) => seq));
  if (seen.size === 0) return [];
  // One that ended while the inbox was read has written it by now.
  return (await look()).filter(({ seq }) => seen.has(seq));
}
