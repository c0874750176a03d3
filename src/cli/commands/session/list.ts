// hermes session list: the conversations of this installation.

import { HermesError } from '../../../base/errors.ts';
import type { Session } from '../../../store/sessions.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { withState } from '../installation.ts';
import { ageText, shortened } from '../wording.ts';

const LAST = 100;

interface ListedSession extends Session {
  readonly sandbox: { readonly id: string; readonly state: string } | null;
}

export const sessionList = defineCommand({
  doc: 'Lists the sessions of this installation, those active last first, with the sandbox that each has.',
  flags: {
    all: { type: 'switch', doc: 'also those that have ended' },
    last: { type: 'number', value: 'count', doc: `how many; else ${LAST}` },
  },
  args: [],
  examples: [
    ['session list', 'the current ones'],
    ['session list --all --last 1000 --json', 'for programs'],
  ],
  async run({ flags }, context) {
    const { last: limit = LAST, all } = flags;
    if (!Number.isInteger(limit) || limit < 1) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', '--last takes a whole number above 0.');
    }
    return withState(context, async ({ world }) => {
      const listed: ListedSession[] = [];
      const found = (await world?.store.sessions.list({ which: all ? 'all' : 'current', limit })) ?? [];
      for (const session of found) {
        const live = await world?.store.ledger.findLive(session.id);
        listed.push({ ...session, sandbox: live ? { id: live.id, state: live.state } : null });
      }
      return { now: context.clock.now(), sessions: listed };
    });
  },
  render: renderSessions,
});

function renderSessions(
  { now, sessions }: { readonly now: number; readonly sessions: readonly ListedSession[] },
  look: Look,
): string {
  if (sessions.length === 0) return 'There are no sessions.';
  const rows = sessions.map(({ id, platform, chat, person, activeAt, endedAt, sandbox }) => [
    id,
    shortened(platform, 12),
    shortened(person === null ? chat : `${chat} (${person})`, 60),
    endedAt === null ? ageText(activeAt, now) : look.colors.dim('ended'),
    sandbox?.state ?? '',
  ]);
  return renderTable(['session', 'platform', 'chat', 'active', 'sandbox'], rows, look);
}
