// What an earlier life of the gateway has left: nothing said is lost, and nothing that was started is done again (P10, P12).

import type { Approval } from '../store/approvals.ts';
import type { IncomingMessage } from '../store/inbox.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import { addressOfSession } from './address.ts';
import { answerBodies, UNKNOWN_PLATFORM } from './answer-bodies.ts';
import { settledLine } from './card-text.ts';
import { withoutDamaged } from './damaged.ts';
import type { Parcel } from './delivery.ts';
import { type Fate, fateOf } from './fate.ts';
import { addressOfIncoming, incomingOf } from './incoming.ts';
import type { Intake, IntakeContext } from './intake.ts';
import { bodyOf, chatOf, type NewBody } from './outgoing.ts';

/** Before anything is received and any run starts; commands act and runs begin as soon as they are opened. */
export async function recover(context: IntakeContext, intake: Intake): Promise<void> {
  const { parts, delivery, runs } = context;
  const { store } = parts.world;
  await delivery.restore();
  for (const approval of await parts.desk.closeDead()) await closeApproval(context, approval);
  const cutOff = new Map((await parts.agent.recover()).map(each => [each.run.id, each]));
  const unfinished = await withoutDamaged(context, await store.inbox.unfinished());
  const isCommand = (row: IncomingMessage): boolean => incomingOf(row).isCommand === true;
  for (const rows of byRun(unfinished.filter(row => !isCommand(row))))
    await recoverRun(context, rows, runId => fateOf(store, runId, cutOff));
  for (const row of await store.outbox.openLives()) await closeLive(context, row);
  for (const row of await withoutDamaged(context, await store.inbox.waiting())) await runs.offer(row);
  for (const row of unfinished.filter(isCommand)) {
    const session = await store.sessions.find(row.sessionId);
    if (session) intake.act(row, session);
  }
  // What they stop or drop must not have begun.
  await intake.settle();
}

export function byRun(
  rows: readonly IncomingMessage[],
): readonly (readonly [IncomingMessage, ...IncomingMessage[]])[] {
  const groups = new Map<string, [IncomingMessage, ...IncomingMessage[]]>();
  for (const row of rows) {
    const group = groups.get(row.runId ?? '');
    if (group) group.push(row);
    else groups.set(row.runId ?? '', [row]);
  }
  return [...groups.values()];
}

/**
 * One in which something had begun goes on or is answered with what is known; any other one is run again. Its sender may
 * have been removed since (P1): then nothing is said or run.
 */
export async function recoverRun(
  { parts, delivery, links }: IntakeContext,
  [first]: readonly [IncomingMessage, ...IncomingMessage[]],
  fate: (runId: string) => Promise<Fate>,
): Promise<void> {
  const { store, redact } = parts.world;
  const { sessionId, platform } = first;
  const runId = first.runId ?? '';
  if ((await parts.admission.roleOf(first.person)) === undefined) return store.inbox.finish(runId);
  const found = await fate(runId);
  const live = (await store.outbox.ofRun(sessionId, runId)).findLast(row => {
    const body = bodyOf(row);
    return body.kind === 'live' && body.isReport === undefined;
  });
  const to = { address: addressOfIncoming(first), sessionId, runId };
  if (found.kind === 'more') {
    const { next } = found;
    return delivery.sendWith([{ to, bodies: cutOffNote(next, live) }], ({ inbox }) =>
      inbox.putBack(runId, next),
    );
  }
  const capabilities = links.capabilities(platform) ?? UNKNOWN_PLATFORM;
  const place = { capabilities, live: live?.seq, redact, isReport: found.isReport };
  await delivery.sendWith([{ to, bodies: answerBodies(found.text, place) }], ({ inbox }) =>
    inbox.finish(runId),
  );
}

const FOLLOWS = { again: 'It is answered again below.', continue: 'It goes on below.' } as const;
const CUT_OFF = 'A restart cut this off.';

/** In the place of what was shown so far; nothing where nothing was. */
function cutOffNote(next: keyof typeof FOLLOWS, live: OutgoingMessage | undefined): readonly NewBody[] {
  if (live?.state === 'sent')
    return [{ kind: 'edit', target: live.seq, text: `${CUT_OFF} ${FOLLOWS[next]}`, isReport: true }];
  // It may stand there, and nobody knows where.
  if (live && live.interrupted > 0)
    return [{ kind: 'text', text: `A restart cut an answer off. ${FOLLOWS[next]}`, isReport: true }];
  return [];
}

/** A message that showed what was being done, and that nothing else has brought to an end. */
async function closeLive({ parts, delivery }: IntakeContext, row: OutgoingMessage): Promise<void> {
  const session = await parts.world.store.sessions.find(row.sessionId);
  if (!session) return;
  const to = { address: { platform: row.platform, chat: chatOf(row) }, sessionId: row.sessionId };
  await delivery.send(to, { kind: 'edit', target: row.seq, text: CUT_OFF, isReport: true });
}

async function closeApproval({ parts, delivery, cards }: IntakeContext, approval: Approval): Promise<void> {
  const session = await parts.world.store.sessions.find(approval.sessionId);
  const told: readonly Parcel[] = session
    ? [
        {
          to: { address: addressOfSession(session), sessionId: session.id },
          bodies: [{ kind: 'text', text: `Approval ${approval.id}: ${settledLine(approval)}` }],
        },
      ]
    : [];
  await delivery.sendWith([...(await cards.changes(approval)), ...told], async () => {});
}
