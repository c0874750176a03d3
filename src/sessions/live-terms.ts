// What holds in a sandbox that exists: it stays as it was made until it is made anew, whatever the settings say by now.
import type { Isolation, Network } from '../backends/backend.ts';
import { isHermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { decidedPolicy } from './decide.ts';
import { isKeptByHand } from './kept-by-hand.ts';
import { policyHash, type SandboxPolicy, SHAPING_PARTS } from './policy.ts';
import type { SessionTraits } from './policy-input.ts';
import type { SandboxWorld } from './world.ts';

export interface Drift {
  readonly part: (typeof SHAPING_PARTS)[number];
  readonly was: unknown;
  readonly is: unknown;
}

export interface LiveTerms {
  readonly backend: string;
  /** Null where the backend knows no images. */
  readonly image: string | null;
  readonly isolation: Isolation;
  /** Null when the row does not say, as rows of old versions may not. */
  readonly network: Network | null;
}

/** What the row of a sandbox says about it, and nothing else. */
export function liveTerms({ facts }: Pick<SandboxWorld, 'facts'>, entry: LedgerEntry): LiveTerms {
  const made = madeBy(entry);
  const isolation = made.isolation ?? facts[entry.backend]?.capabilities.isolation ?? 'none';
  return {
    ...{ backend: entry.backend, isolation },
    image: made.image?.value ?? null,
    network: made.network?.value ?? null,
  };
}

/** In which parts the settings have left the sandbox; none while it would be made the same again. */
export function driftOf(entry: LedgerEntry, policy: SandboxPolicy): readonly Drift[] {
  if (policyHash(policy) === entry.policyHash) return [];
  const before = madeBy(entry);
  return SHAPING_PARTS.flatMap((part): Drift[] => {
    const [was, is] = [before[part]?.value, policy[part].value];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ part, was, is }];
  });
}

/** `network none → open, limits`: what can be said in a word is said. */
export function driftText(drift: readonly Drift[]): string {
  const said = drift.map(({ part, was, is }) =>
    typeof is === 'string' ? `${part} ${was ?? 'unknown'} → ${is}` : part,
  );
  return said.join(', ');
}

export interface Outlook {
  readonly drift: readonly Drift[];
  /** What is decided now; undefined where nothing would run. */
  readonly policy: SandboxPolicy | undefined;
}

/** The drift of many, each compared with what is decided for its session. */
export function driftLookup(world: SandboxWorld): (entry: LedgerEntry) => Promise<Outlook> {
  const decided = new Map<string, Promise<SandboxPolicy | undefined>>();
  return async entry => {
    const session = entry.sessionId === null ? undefined : await world.store.sessions.find(entry.sessionId);
    // It is used where it is, and with what it was made for.
    if (session && isKeptByHand(session)) return { drift: [], policy: undefined };
    const { kind, network }: SessionTraits = session ?? { kind: 'messaging' };
    const key = `${kind} ${network ?? ''}`;
    const policy = decided.get(key) ?? policyOrNone(world, { kind, ...(network ? { network } : {}) });
    decided.set(key, policy);
    const now = await policy;
    return { drift: now ? driftOf(entry, now) : [], policy: now };
  };
}

/** Undefined when nothing would run by the settings: there is nothing to compare with then. */
export async function policyOrNone(
  world: SandboxWorld,
  traits: SessionTraits,
): Promise<SandboxPolicy | undefined> {
  try {
    return await decidedPolicy(world, traits);
  } catch (error) {
    if (isHermesError(error, 'UNAVAILABLE_BACKEND')) return undefined;
    throw error;
  }
}

function madeBy(entry: LedgerEntry): Partial<SandboxPolicy> {
  return entry.policy as Partial<SandboxPolicy>; // as SandboxLife wrote it, perhaps an older one
}
