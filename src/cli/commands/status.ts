// hermes status: the whole installation on one screen.
import { backendFacts } from '../../backends/index.generated.ts';
import { sandboxesByState } from '../../gateway/process/metrics.ts';
import type { GatewayStatus } from '../../gateway/process/status.ts';
import { type Cost, costsOf } from '../../sessions/cost.ts';
import { limitsText } from '../../sessions/limit-words.ts';
import { driftLookup, type LiveTerms, liveTerms } from '../../sessions/live-terms.ts';
import { resolveSandboxPolicy } from '../../sessions/policy.ts';
import type { PolicyConfig, PolicyWorld } from '../../sessions/policy-input.ts';
import { LOCAL_SANDBOX, LOCAL_WARNING, startWarnings } from '../../sessions/start.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import { EXISTING_STATES } from '../../store/sandbox-states.ts';
import { defineCommand, type Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { platformText } from './gateway/ready.ts';
import { runningStatus } from './gateway/running-status.ts';
import { withState } from './installation.ts';
import { ageText, costText } from './wording.ts';

const DAY_MS = 86_400_000;

interface Place {
  /** Null while it is open, or nothing would run. */
  readonly backend: string | null;
  readonly image: string | null;
  readonly isolation: string | null;
  readonly network: string | null;
  /** Who decided, or why nothing is decided. */
  readonly why: string;
}

interface LivePlace extends LiveTerms {
  readonly count: number;
  /** So many of them were made by earlier settings. */
  readonly outdated: number;
  /** Which limits hold, in words; null when the row does not say. */
  readonly limits: string | null;
}

interface Overview {
  readonly now: number;
  readonly home: string;
  readonly gateway: GatewayStatus | null;
  readonly messaging: Place;
  readonly cli: Place;
  readonly sandboxes: Readonly<Record<string, number>>;
  /** What holds in those that exist, as they were made; alike ones together. */
  readonly live: readonly LivePlace[];
  /** Of all sandboxes that the ledger still has, by backend; empty where nothing is billed. */
  readonly costs: readonly Cost[];
  readonly approvals: number;
  /** Messages of the last day that did not reach their chat. */
  readonly undelivered: number;
  readonly warnings: readonly string[];
}

export const status = defineCommand({
  doc: 'Shows the gateway and its platforms, where commands of chats and of the CLI run, the sandboxes, what waits for an answer, and what is dangerous. Asks the running gateway, and no engine.',
  flags: {},
  args: [],
  examples: [
    ['status', 'one screen'],
    ['status --json', 'for programs'],
  ],
  run: (_input, context) =>
    withState(context, async ({ config, world }): Promise<Overview> => {
      const { home } = config.paths;
      const recorded = (await world?.store.installation.read())?.backend ?? null;
      const [gateway, messaging, cli] = [
        await runningStatus(home, context),
        placeOf(config, 'messaging', recorded),
        placeOf(config, 'cli', recorded),
      ];
      const sandboxes = world ? Object.fromEntries(await sandboxesByState(world.store)) : {};
      const live = world ? await livePlaces(world) : [];
      const costs = world ? costsOf(await world.store.ledger.list(), world.facts, context.clock.now()) : [];
      const said = gateway?.warnings ?? messaging.warnings;
      const since = context.clock.now() - DAY_MS;
      return {
        ...{ now: context.clock.now(), home, gateway: gateway ?? null, sandboxes, live, costs },
        messaging: gateway ? served(gateway, messaging.place) : messaging.place,
        cli: cli.place,
        approvals: (await world?.store.approvals.pending())?.length ?? 0,
        undelivered: (await world?.store.outbox.undelivered({ since }))?.length ?? 0,
        warnings: withLive(said, live, gateway ? LOCAL_WARNING : LOCAL_SANDBOX),
      };
    }),
  render: renderOverview,
});

/** A sandbox on this machine is there whatever the settings say by now. */
function withLive(said: readonly string[], live: readonly LivePlace[], warning: string): readonly string[] {
  return live.some(isOpenPlace) && !said.includes(warning) ? [...said, warning] : said;
}

function placeOf(
  config: PolicyConfig,
  kind: 'messaging' | 'cli',
  recorded: PolicyWorld['recorded'],
): { readonly place: Place; readonly warnings: readonly string[] } {
  const decision = resolveSandboxPolicy(config, { kind }, { backends: backendFacts, recorded });
  if (decision.kind === 'decided') {
    const { backend, image, isolation, network } = decision.policy;
    return {
      place: {
        ...{ backend: backend.value, image: image.value, isolation, network: network.value },
        why: backend.origin,
      },
      warnings: [...startWarnings(decision.policy), ...config.warnings],
    };
  }
  const why =
    decision.kind === 'undecided'
      ? `auto: the first start takes the first that works of ${decision.among.join(', ')}`
      : `nothing would run: ${decision.reason} ${decision.fix}`;
  return { place: { backend: null, image: null, isolation: null, network: null, why }, warnings: [] };
}

async function livePlaces(world: SandboxWorld): Promise<readonly LivePlace[]> {
  const drift = driftLookup(world);
  const places = new Map<string, LivePlace>();
  for (const entry of await world.store.ledger.list({ states: EXISTING_STATES })) {
    const terms = liveTerms(world, entry);
    const limits = limitsText({ entry }) ?? null;
    const key = JSON.stringify([terms, limits]);
    const { count, outdated } = places.get(key) ?? { count: 0, outdated: 0 };
    const isOutdated = (await drift(entry)).drift.length > 0;
    places.set(key, { ...terms, limits, count: count + 1, outdated: outdated + (isOutdated ? 1 : 0) });
  }
  return [...places.values()];
}

function isOpenPlace({ isolation }: LivePlace): boolean {
  return isolation === 'none';
}

/** What the gateway was started with counts, whatever the settings say by now. */
function served({ sandboxes }: GatewayStatus, { why, ...now }: Place): Place {
  const isSame = JSON.stringify(placeParts(now)) === JSON.stringify(placeParts(sandboxes));
  const changed = `as it was started; the settings say ${now.backend ?? why} by now: hermes gateway restart`;
  return { ...sandboxes, why: isSame ? why : changed };
}

function placeParts({ backend, image, isolation, network }: Omit<Place, 'why'>) {
  return [backend, image, isolation, network];
}

function renderOverview(overview: Overview, look: Look): string {
  const { gateway, messaging, cli, sandboxes, live, costs, approvals, undelivered, warnings } = overview;
  const states = Object.entries(sandboxes).map(([state, count]) => `${count} ${state}`);
  const rows = [
    ['gateway', gatewayText(overview)],
    ...platformRows(gateway),
    ['chats', placeText(messaging)],
    ['CLI', placeText(cli)],
    ['sandboxes', states.length === 0 ? 'none' : states.join(', ')],
    ...live.map(place => ['', livePlaceText(place)]),
    ...costs.map((cost, at) => [at === 0 ? 'cost' : '', costText(cost)]),
    ['approvals', approvals === 0 ? 'none pending' : `${approvals} pending: hermes approvals list`],
    ...undeliveredRows(undelivered),
  ];
  const [head = [], ...rest] = rows;
  const table = renderTable(head, rest, { ...look, columns: Math.min(look.columns, 80) });
  // A sandbox on this machine is there now, whoever runs.
  const isNow = (text: string): boolean => gateway !== null || text === LOCAL_SANDBOX;
  const warned = warnings.map(text =>
    look.colors.yellow(isNow(text) ? text : `When the gateway starts: ${text}`),
  );
  return [table, ...warned.map(text => `\n${text}`)].join('\n');
}

function undeliveredRows(count: number): string[][] {
  if (count === 0) return [];
  return [
    [
      'undelivered',
      `${count} ${count === 1 ? 'message' : 'messages'} in the last 24 hours: hermes audit list`,
    ],
  ];
}

function gatewayText({ gateway, now, home }: Overview): string {
  if (!gateway) return `not running (${home})`;
  const { state, pid, startedAt, http, version } = gateway;
  return `${state} for ${ageText(startedAt, now)}, process ${pid}, version ${version}, ${http}`;
}

function platformRows(gateway: GatewayStatus | null): string[][] {
  const platforms = gateway?.platforms ?? [];
  if (platforms.length === 0) return [['platforms', gateway ? 'none' : 'not running']];
  return platforms.map((each, at) => [at === 0 ? 'platforms' : '', `${each.name}: ${platformText(each)}`]);
}

function livePlaceText({ count, outdated, backend, image, isolation, network, limits }: LivePlace): string {
  const from = image === null ? '' : `, image ${image}`;
  const old = outdated === 0 ? '' : `; ${outdated} made by earlier settings: hermes sandbox list`;
  const held = limits === null ? '' : `; limits: ${limits}`;
  return `${count} on ${backend}${from}, isolation ${isolation}, network ${network ?? 'unknown'}${old}${held}`;
}

function placeText({ backend, image, isolation, network, why }: Place): string {
  if (backend === null) return why;
  const from = image === null ? '' : `, image ${image}`;
  return `${backend}${from}, isolation ${isolation}, network ${network} (${why})`;
}
