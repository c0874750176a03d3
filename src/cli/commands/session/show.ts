// hermes session show: one conversation.
import { type Cost, costsOf } from '../../../sessions/cost.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { Session } from '../../../store/sessions.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { findSession } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';
import { costText, plainLine, timeText } from '../wording.ts';
import { sessionArgument } from './argument.ts';

interface ShownSession extends Session {
  readonly sandboxes: readonly Pick<LedgerEntry, 'id' | 'state' | 'backend' | 'createdAt' | 'stateSince'>[];
  /** By backend; empty where nothing is billed. */
  readonly costs: readonly Cost[];
}

export const sessionShow = defineCommand({
  doc: 'Shows one session, the sandboxes that it has and had, and what those cost that are billed by time.',
  flags: {},
  args: [sessionArgument],
  examples: [['session show k3v9', 'by the first characters of its id']],
  run({ args }, context): Promise<ShownSession> {
    return withWorld(context, args.id, async ({ world }) => {
      const { store } = world;
      const session = await findSession(store, args.id);
      const rows = await store.ledger.list({ sessionId: session.id });
      const sandboxes = rows.map(({ id, state, backend, createdAt, stateSince }) => ({
        ...{ id, state, backend, createdAt, stateSince },
      }));
      return { ...session, sandboxes, costs: costsOf(rows, world.facts, context.clock.now()) };
    });
  },
  render: renderSession,
});

function renderSession(session: ShownSession, look: Look): string {
  const { id, kind, platform, chat, thread, person, network, createdAt, activeAt, endedAt } = session;
  const facts = [
    ['session', id],
    ['kind', kind],
    ['platform', plainLine(platform)],
    ['chat', plainLine(chat)],
    ...(thread === null ? [] : [['thread', plainLine(thread)]]),
    ...(person === null ? [] : [['person', plainLine(person)]]),
    ['network', network === null ? 'as configured' : `${network}, switched for this session`],
    ['begun', timeText(createdAt)],
    ['active', timeText(activeAt)],
    ...(endedAt === null ? [] : [['ended', timeText(endedAt)]]),
    ...session.costs.map(cost => ['cost', costText(cost)]),
  ];
  const rows = session.sandboxes.map(({ id: sandbox, state, backend, stateSince }) => [
    sandbox,
    state,
    backend,
    timeText(stateSince),
  ]);
  const table = renderTable(['what', 'is'], facts, look);
  if (rows.length === 0) return `${table}\n\nIt has no sandbox.`;
  return [table, '', renderTable(['sandbox', 'state', 'backend', 'since'], rows, look)].join('\n');
}
