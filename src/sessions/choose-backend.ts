// Which backend a session gets. A choice is somebody's word or `auto`; there is no falling back from either (P2).
import type { BackendFacts, Isolation } from '../backends/backend.ts';
import type { StatedValue } from '../config/config.ts';
import { describeOrigin } from '../config/origin.ts';
import type {
  Decided,
  NoDecision,
  PolicyConfig,
  PolicyWorld,
  Refusal,
  SessionTraits,
} from './policy-input.ts';

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
  if (key && session.kind === 'messaging') {
    const stale = staleOverride(config, key, world);
    if (stale) return stale;
  }
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

/** A variable of the environment or of `.env` may be older than the file it overrules; it must not undo its isolation. */
function staleOverride(config: PolicyConfig, key: BackendKey, world: PolicyWorld): Refusal | undefined {
  const [first] = config.stated(key);
  const file = writtenInFile(config);
  if (!first || !file || (first.origin.from !== 'environment' && first.origin.from !== 'dotenv'))
    return undefined;
  if (strength(first.value, world) >= strength(file.value, world)) return undefined;
  return {
    kind: 'refused',
    reason: `${describeOrigin(first.origin)} sets ${key} to ${String(first.value)}, which isolates less than ${String(file.value)} in ${describeOrigin(file.origin)}.`,
    fix: `Remove the variable, or write ${String(first.value)} into ${describeOrigin(file.origin)} if that is what you want.`,
  };
}

/** What the file alone would come to, whichever of its keys a variable overrules. */
function writtenInFile(config: PolicyConfig): StatedValue | undefined {
  const stated = MESSAGING_KEYS.flatMap(key => config.stated(key));
  return stated.find(({ origin }) => origin.from === 'file');
}

const STRENGTH: Readonly<Record<Isolation, number>> = { none: 0, remote: 1, container: 2, machine: 3 };

function strength(backend: unknown, { backends }: PolicyWorld): number {
  if (backend === AUTO) return STRENGTH.container;
  const facts =
    typeof backend === 'string' && Object.hasOwn(backends, backend) ? backends[backend] : undefined;
  return facts ? STRENGTH[facts.capabilities.isolation] : 0;
}

export function isIsolated(isolation: Isolation): boolean {
  return isolation === 'container' || isolation === 'machine';
}
