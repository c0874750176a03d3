// Which backend a session gets. A choice is somebody's word or `auto`; there is no falling back from either (P2).
import type { BackendFacts, Isolation } from '../backends/backend.ts';
import { describeOrigin } from '../config/origin.ts';
import type { Decided, NoDecision, PolicyConfig, PolicyWorld, SessionTraits } from './policy-input.ts';

const AUTO = 'auto';
/** What the CLI runs on when nobody has chosen: the user's own machine, as the user's own commands would. */
const CLI_DEFAULT = 'local';

export type BackendDecision =
  | { readonly kind: 'chosen'; readonly backend: Decided<string>; readonly facts: BackendFacts }
  | NoDecision;

type BackendKey = 'gateway.terminal_backend' | 'terminal.backend';

/** The stronger one first. */
const MESSAGING_KEYS: readonly BackendKey[] = ['gateway.terminal_backend', 'terminal.backend'];

export function chooseBackend(
  config: PolicyConfig,
  session: SessionTraits,
  world: PolicyWorld,
): BackendDecision {
  const key = decidingKey(config, session);
  const written = key && config.get(key);
  const origin = key ? `${key}, ${describeOrigin(config.origin(key))}` : 'default';
  const name = written ?? (session.kind === 'cli' ? CLI_DEFAULT : AUTO);
  return name === AUTO ? recordedChoice(origin, world) : named({ value: name, origin }, world);
}

function decidingKey(config: PolicyConfig, session: SessionTraits): BackendKey | undefined {
  const keys: readonly BackendKey[] = session.kind === 'messaging' ? MESSAGING_KEYS : ['terminal.backend'];
  return keys.find(key => config.get(key) !== undefined);
}

function recordedChoice(origin: string, { backends, recorded }: PolicyWorld): BackendDecision {
  const among = autoOrder(backends);
  if (!recorded) return { kind: 'undecided', among, origin };
  if (!among.includes(recorded.name)) {
    return {
      kind: 'refused',
      reason: `The recorded choice of \`auto\` is ${recorded.name}, which is none that \`auto\` may take.`,
      fix: `Set gateway.terminal_backend to one of: ${among.join(', ')}.`,
    };
  }
  const day = new Date(recorded.chosenAt).toISOString().slice(0, 10);
  return named(
    { value: recorded.name, origin: `${AUTO} (${origin}), chosen on ${day}` },
    { backends, recorded },
  );
}

/** The backends that `auto` may take, the preferred one first: isolated ones that ask for it. */
export function autoOrder(backends: PolicyWorld['backends']): readonly string[] {
  return Object.entries(backends)
    .filter(([, { autoRank, capabilities }]) => autoRank !== undefined && isIsolated(capabilities.isolation))
    .toSorted(([, a], [, b]) => (a.autoRank ?? 0) - (b.autoRank ?? 0))
    .map(([name]) => name);
}

function named(backend: Decided<string>, { backends }: PolicyWorld): BackendDecision {
  const facts = Object.hasOwn(backends, backend.value) ? backends[backend.value] : undefined;
  if (facts) return { kind: 'chosen', backend, facts };
  return {
    kind: 'refused',
    reason: `There is no backend ${backend.value} (${backend.origin}).`,
    fix: `Choose one of: ${Object.keys(backends).join(', ')}.`,
  };
}

export function isIsolated(isolation: Isolation): boolean {
  return isolation === 'container' || isolation === 'machine';
}
