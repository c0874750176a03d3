// hermes sandbox list: the ledger for people.
import type { LedgerEntry } from '../../../store/ledger.ts';
import { EXISTING_STATES } from '../../../store/sandbox-states.ts';
import type { Store } from '../../../store/store.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { withState } from '../installation.ts';
import { ageText, plainLine } from '../wording.ts';

interface ListedSandbox
  extends Pick<
    LedgerEntry,
    'id' | 'state' | 'backend' | 'name' | 'sessionId' | 'createdAt' | 'stateSince' | 'idleSince' | 'problem'
  > {
  /** How many background processes run in it. */
  readonly running: number;
}

export const sandboxList = defineCommand({
  doc: 'Lists the sandboxes of this installation as its ledger has them: state, backend, session, how long in that state, and how many background processes run. Asks no engine and wakes none.',
  flags: { all: { type: 'switch', doc: 'also those that are gone' } },
  args: [],
  examples: [
    ['sandbox list', 'all that exist'],
    ['sandbox list --all', 'also those of the last 30 days that are gone'],
    ['sandbox list --json', 'for programs'],
  ],
  async run({ flags }, context) {
    return withState(context, async ({ world }) => {
      const entries = world
        ? await world.store.ledger.list(flags.all ? {} : { states: EXISTING_STATES })
        : [];
      const sandboxes: ListedSandbox[] = [];
      for (const entry of entries) if (world) sandboxes.push(await listed(entry, world.store));
      return { now: context.clock.now(), sandboxes };
    });
  },
  render: renderList,
});

async function listed(entry: LedgerEntry, { processes }: Store): Promise<ListedSandbox> {
  const { id, state, backend, name, sessionId, createdAt, stateSince, idleSince, problem } = entry;
  const running = (await processes.list(id)).filter(process => process.state === 'running').length;
  return { id, state, backend, name, sessionId, createdAt, stateSince, idleSince, problem, running };
}

function renderList(
  { now, sandboxes }: { readonly now: number; readonly sandboxes: readonly ListedSandbox[] },
  look: Look,
): string {
  if (sandboxes.length === 0) return 'There are no sandboxes.';
  const { colors } = look;
  const rows = sandboxes.map(({ id, state, backend, sessionId, stateSince, running }) => [
    id,
    state === 'failed' ? colors.red(state) : state === 'leased' ? colors.green(state) : state,
    backend,
    sessionId ?? colors.dim('warm pool'),
    ageText(stateSince, now),
    running === 0 ? '' : String(running),
  ]);
  const table = renderTable(['sandbox', 'state', 'backend', 'session', 'since', 'runs'], rows, look);
  const problems = sandboxes.flatMap(({ id, problem }) =>
    problem === null ? [] : [wrapText(`! ${id}: ${plainLine(problem)}`, look)],
  );
  return [table, ...(problems.length > 0 ? ['', ...problems] : [])].join('\n');
}
