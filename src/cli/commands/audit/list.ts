// hermes audit list: who caused which command, in which sandbox, with which outcome.
import { HermesError } from '../../../base/errors.ts';
import { defineCommand } from '../../command.ts';
import { findSession } from '../find-by-id.ts';
import { withState } from '../installation.ts';
import { readAudit, renderAudit } from '../read-audit.ts';
import { pastTime } from './past-time.ts';

const LAST = 100;

export const auditList = defineCommand({
  doc: 'Lists who caused which command in which sandbox, with which outcome, oldest first. Secrets are masked in it. How long it is kept is gateway.audit_retention.',
  flags: {
    since: { type: 'text', value: 'time', doc: 'from then on: a span such as 30m, 2h, 7d, or an ISO time' },
    session: { type: 'text', value: 'id', doc: 'only of this session' },
    last: { type: 'number', value: 'count', doc: `how many of the newest; else ${LAST}` },
  },
  args: [],
  examples: [
    ['audit list --since 2h', 'of the last two hours'],
    ['audit list --since 2026-01-31T08:00:00Z', 'from a time on'],
    ['audit list --session k3v9 --last 1000 --json', 'of one session, for programs'],
  ],
  async run({ flags }, context) {
    const { since, session, last = LAST } = flags;
    if (!Number.isInteger(last) || last < 1) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', '--last takes a whole number above 0.');
    }
    const from = since === undefined ? {} : { since: pastTime(since, context.clock.now()) };
    return withState(context, async ({ world }) => {
      if (!world) return { entries: [] };
      const of = session === undefined ? {} : { sessionId: (await findSession(world.store, session)).id };
      return { entries: await readAudit(world.store, { ...from, ...of, last }) };
    });
  },
  render: ({ entries }, look) =>
    entries.length === 0 ? 'There are no entries.' : renderAudit(entries, look),
});
