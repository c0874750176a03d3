// hermes session show: one conversation.
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { Session } from '../../../store/sessions.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { findSession } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';
import { plainLine, timeText } from '../wording.ts';
import { sessionArgument } from './argument.ts';

interface ShownSession extends Session {
  readonly sandboxes: readonly Pick<LedgerEntry, 'id' | 'state' | 'backend' | 'createdAt' | 'stateSince'>[];
}

export const sessionShow = defineCommand({
  doc: 'Shows one session and the sandboxes that it has and had.',
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
      return { ...session, sandboxes };
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
