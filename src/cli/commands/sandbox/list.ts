// hermes sandbox list: the ledger for people.
import { type Cost, costsOf } from '../../../sessions/cost.ts';
import { outlookOf } from '../../../sessions/drift-words.ts';
import { type Drift, driftLookup, driftText, liveTerms, type Outlook } from '../../../sessions/live-terms.ts';
import { overAt } from '../../../sessions/overdue.ts';
import { LOCAL_SANDBOX, LOCAL_WARNING } from '../../../sessions/start.ts';
import type { SandboxWorld } from '../../../sessions/world.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import { EXISTING_STATES } from '../../../store/sandbox-states.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { withState } from '../installation.ts';
import { ageText, costText, plainLine } from '../wording.ts';

interface ListedSandbox
  extends Pick<
    LedgerEntry,
    'id' | 'state' | 'backend' | 'name' | 'sessionId' | 'createdAt' | 'stateSince' | 'idleSince' | 'problem'
  > {
  /** As it was made, whatever the settings say by now. */
  readonly isolation: string;
  readonly network: string | null;
  /** What the settings say otherwise by now. */
  readonly drift: readonly Drift[];
  /** What becomes of it because of that; null where nothing does. */
  readonly outlook: string | null;
  /** When it is removed, or suspended, unless somebody uses it before; null while it is used. */
  readonly overAt: number | null;
  /** How many background processes run in it. */
  readonly running: number;
}

export const sandboxList = defineCommand({
  doc: 'Lists the sandboxes of this installation as its ledger has them: state, backend, isolation, network, session, how long in that state, and how many background processes run, and which of them the settings have left. Asks no engine and wakes none.',
  flags: { all: { type: 'switch', doc: 'also those that are gone' } },
  args: [],
  examples: [
    ['sandbox list', 'all that exist'],
    ['sandbox list --all', 'also those of the last 30 days that are gone'],
    ['sandbox list --json', 'for programs'],
  ],
  async run({ flags }, context) {
    return withState(context, async ({ world, gateway = 'none' }): Promise<Listing> => {
      const entries = world
        ? await world.store.ledger.list(flags.all ? {} : { states: EXISTING_STATES })
        : [];
      const sandboxes: ListedSandbox[] = [];
      const drift = world && driftLookup(world);
      for (const entry of entries) if (world && drift) sandboxes.push(await listed(entry, world, drift));
      const now = context.clock.now();
      return { now, sandboxes, gateway, costs: world ? costsOf(entries, world.facts, now) : [] };
    });
  },
  render: renderList,
});

const NO_DRIFT: Outlook = { drift: [], policy: undefined };

async function listed(
  entry: LedgerEntry,
  world: SandboxWorld,
  driftNow: ReturnType<typeof driftLookup>,
): Promise<ListedSandbox> {
  const { id, state, backend, name, sessionId, createdAt, stateSince, idleSince, problem } = entry;
  const processes = await world.store.processes.list(id);
  const running = processes.filter(process => process.state === 'running').length;
  const { isolation, network } = liveTerms(world, entry);
  const { drift, policy } = state === 'gone' ? NO_DRIFT : await driftNow(entry);
  return {
    ...{ id, state, backend, name, sessionId, createdAt, stateSince, idleSince, problem, isolation, network },
    ...{ drift, running },
    overAt: overAt(entry) ?? null,
    outlook: policy && drift.length > 0 ? outlookOf(entry, policy, running) : null,
  };
}

interface Listing {
  readonly now: number;
  readonly gateway: 'running' | 'none';
  readonly sandboxes: readonly ListedSandbox[];
  /** By backend; empty where nothing is billed. */
  readonly costs: readonly Cost[];
}

function renderList({ now, sandboxes, gateway, costs }: Listing, look: Look): string {
  if (sandboxes.length === 0) return 'There are no sandboxes.';
  const { colors } = look;
  const rows = sandboxes.map(({ id, state, backend, network, sessionId, stateSince, running }) => [
    id,
    state === 'failed' ? colors.red(state) : state === 'leased' ? colors.green(state) : state,
    backend,
    network ?? '',
    sessionId ?? colors.dim('warm pool'),
    ageText(stateSince, now),
    running === 0 ? '' : String(running),
  ]);
  const table = renderTable(['sandbox', 'state', 'backend', 'net', 'session', 'since', 'runs'], rows, look);
  const problems = sandboxes.flatMap(({ id, problem }) =>
    problem === null ? [] : [wrapText(`! ${id}: ${plainLine(problem)}`, look)],
  );
  const drifted = sandboxes.flatMap(({ id, drift, outlook }) =>
    drift.length === 0
      ? []
      : [wrapText(`${id}: the settings have changed (${driftText(drift)}); ${outlook}.`, look)],
  );
  const kinds = new Set(sandboxes.map(({ backend, isolation }) => `${backend} ${isolation}`));
  const isolation = wrapText(`isolation: ${[...kinds].join(', ')}`, look);
  const isLocal = sandboxes.some(each => each.isolation === 'none' && each.state !== 'gone');
  const billed = costs.map(cost => wrapText(`cost: ${costText(cost)}`, look));
  const below = [
    isolation,
    ...billed,
    ...problems,
    ...drifted,
    ...(isLocal ? ['', colors.yellow(gateway === 'running' ? LOCAL_WARNING : LOCAL_SANDBOX)] : []),
  ];
  return [table, '', ...below].join('\n');
}
