// The answer to "where would this person's command run, and who decided so?". Pure: from the decision and the ledger's
// row alone, so that it needs neither a gateway nor an engine.
import type { Enforcement } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { isIsolated } from './choose-backend.ts';
import { outlookOf } from './drift-words.ts';
import { limitsText } from './limit-words.ts';
import { type Drift, driftOf } from './live-terms.ts';
import { policyHash, resolveSandboxPolicy, type SandboxPolicy } from './policy.ts';
import type { Decided, PolicyConfig, PolicyWorld, SessionTraits } from './policy-input.ts';

/** As long as `auto` is open, a value that depends on its choice is null, and `ifChosen` says what it would be. */
export interface Explained<T> extends Decided<T | null> {
  readonly ifChosen?: Readonly<Record<string, Decided<T>>>;
}

export interface ExplainedSandbox {
  readonly id: string;
  readonly state: LedgerEntry['state'];
  /** The settings have changed since it was made. */
  readonly hasDrifted: boolean;
  /** What becomes of it then; absent when they have not. */
  readonly outlook?: string;
  readonly drift: readonly Drift[];
}

type PolicyParts = Omit<SandboxPolicy, 'backend' | 'isolation' | 'env'>;

/** The parts of a policy, each as far as it is decided. */
type ExplainedParts = {
  readonly [Part in keyof PolicyParts]: Explained<PolicyParts[Part]['value']>;
};

export interface Explanation extends ExplainedParts {
  readonly decision: 'decided' | 'undecided' | 'refused';
  /** Why nothing would run, and what to do. */
  readonly refusal?: { readonly reason: string; readonly fix: string };
  /** `among`: what `auto` tries, in this order. */
  readonly backend: Explained<string> & { readonly among?: readonly string[] };
  /** The names of variables whose values commands see. */
  readonly credentials: Explained<readonly string[]>;
  /** What a command could hurt outside its sandbox, each in a sentence. */
  readonly exposures: readonly string[];
  readonly sandbox: ExplainedSandbox | null;
  /** Which limits hold, and whether that speaks of the sandbox or of the settings; null when there is neither. */
  readonly limitsHeld: string | null;
}

export type Reader = 'owner' | 'user';

export interface ExplainInput {
  readonly config: PolicyConfig;
  readonly session: SessionTraits;
  readonly world: PolicyWorld;
  /** The sandbox that the session has now. */
  readonly entry?: LedgerEntry | undefined;
  /** How far limits held in the newest sandbox of each policy, by its hash. */
  readonly known?: ReadonlyMap<string, Enforcement> | undefined;
  /** Only owners see what of the host stands in the settings: its paths, and who wrote what where. Absent = an owner. */
  readonly reader?: Reader;
}

export function explainSandbox({
  config,
  session,
  world,
  entry,
  known,
  reader = 'owner',
}: ExplainInput): Explanation {
  const shown = (policy: SandboxPolicy): SandboxPolicy => (reader === 'owner' ? policy : withoutHost(policy));
  const decision = resolveSandboxPolicy(config, session, world);
  switch (decision.kind) {
    case 'decided': {
      const policy = shown(decision.policy);
      return {
        decision: 'decided',
        ...partsOf({ [policy.backend.value]: policy }),
        backend: policy.backend,
        exposures: exposuresOf(policy),
        sandbox: entry ? sandboxOf(entry, decision.policy) : null,
        limitsHeld: limitsText({ policy: decision.policy, entry, known }) ?? null,
      };
    }
    case 'undecided': {
      const policies = mapValues(candidates({ config, session, world }, decision.among), shown);
      return {
        decision: 'undecided',
        ...partsOf(policies),
        backend: {
          value: 'auto',
          origin: reader === 'owner' ? decision.origin : SETTINGS,
          among: decision.among,
        },
        exposures: [...new Set(Object.values(policies).flatMap(exposuresOf))],
        sandbox: entry ? sandboxOf(entry, undefined) : null,
        limitsHeld: limitsText({ entry }) ?? null,
      };
    }
    case 'refused': {
      return {
        decision: 'refused',
        refusal: reader === 'owner' ? { reason: decision.reason, fix: decision.fix } : REFUSED,
        ...partsOf({}),
        backend: { value: null, origin: 'nothing would run' },
        exposures: [],
        sandbox: entry ? sandboxOf(entry, undefined) : null,
        limitsHeld: limitsText({ entry }) ?? null,
      };
    }
  }
}

const SETTINGS = 'the settings of the installation';
const REFUSED = {
  reason: 'By the settings of this installation no command can run here now.',
  fix: 'Its owners see why with /sandbox.',
};

/** As anybody may see it: nothing of the host but what is inside of the sandbox anyway. */
export function withoutHost(policy: SandboxPolicy): SandboxPolicy {
  const hidden = Object.entries(policy).map(([part, decided]) => [
    part,
    typeof decided === 'string' ? decided : { ...decided, origin: SETTINGS },
  ]);
  const mounts = policy.mounts.value.map(volume => volume.split(':').slice(1).join(':'));
  return { ...Object.fromEntries(hidden), mounts: { value: mounts, origin: SETTINGS } } as SandboxPolicy; // the same parts
}

function mapValues<T>(of: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}

/** What each of them would come to if `auto` chose it. */
function candidates(
  { config, session, world }: ExplainInput,
  among: readonly string[],
): Readonly<Record<string, SandboxPolicy>> {
  const pairs = among.flatMap(name => {
    const recorded = { name, chosenAt: 0 };
    const decision = resolveSandboxPolicy(config, session, { ...world, recorded });
    return decision.kind === 'decided' ? [[name, decision.policy] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function partsOf(policies: Readonly<Record<string, SandboxPolicy>>) {
  const part = <T>(of: (policy: SandboxPolicy) => Decided<T>): Explained<T> => agreed(policies, of);
  return {
    image: part(policy => policy.image),
    network: part(policy => policy.network),
    limits: part(policy => policy.limits),
    mounts: part(policy => policy.mounts),
    credentials: part(policy => policy.env),
    lifetimeSeconds: part(policy => policy.lifetimeSeconds),
    retentionSeconds: part(policy => policy.retentionSeconds),
    persistent: part(policy => policy.persistent),
    persistentShell: part(policy => policy.persistentShell),
    timeoutSeconds: part(policy => policy.timeoutSeconds),
    sudo: part(policy => policy.sudo),
  };
}

function agreed<T>(
  policies: Readonly<Record<string, SandboxPolicy>>,
  of: (policy: SandboxPolicy) => Decided<T>,
): Explained<T> {
  const parts = Object.entries(policies).map(([name, policy]) => [name, of(policy)] as const);
  const [first] = parts;
  if (!first) return { value: null, origin: 'nothing would run' };
  const isSame = parts.every(([, { value }]) => JSON.stringify(value) === JSON.stringify(first[1].value));
  if (isSame) return first[1];
  return { value: null, origin: 'depends on the backend', ifChosen: Object.fromEntries(parts) };
}

function exposuresOf({ isolation, backend, network, mounts, env }: SandboxPolicy): readonly string[] {
  if (isolation === 'none') {
    return [`This machine itself: on ${backend.value} commands can do whatever the user of Hermes can.`];
  }
  if (!isIsolated(isolation)) {
    return [`Another machine: on ${backend.value} commands can do there whatever its account can.`];
  }
  return [
    ...(network.value === 'open'
      ? [`The network: commands can reach ${reachOf(isolation, backend.value)}.`]
      : []),
    ...mounts.value.map(volume =>
      volume.endsWith(':ro')
        ? `Files of this machine, to be read: ${volume}`
        : `Files of this machine, to be changed: ${volume}`,
    ),
    ...(env.value.length > 0 ? [`Credentials: commands see the values of ${env.value.join(', ')}.`] : []),
  ];
}

/** A machine of its own is somewhere else. */
function reachOf(isolation: SandboxPolicy['isolation'], backend: string): string {
  return isolation === 'machine'
    ? `the internet, from a machine of ${backend}`
    : 'what this machine can reach';
}

function sandboxOf(entry: LedgerEntry, policy: SandboxPolicy | undefined): ExplainedSandbox {
  const { id, state } = entry;
  const drift = policy ? driftOf(entry, policy) : [];
  const hasDrifted = policy !== undefined && policyHash(policy) !== entry.policyHash;
  return { id, state, hasDrifted, drift, ...(hasDrifted ? { outlook: outlookOf(entry, policy) } : {}) };
}
