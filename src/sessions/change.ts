// What a change of the settings means for a sandbox that was made before. Pure.
import type { LedgerEntry } from '../store/ledger.ts';
import { isIsolated } from './choose-backend.ts';
import type { SandboxPolicy } from './policy.ts';

/**
 * `move`: a new one takes over its files. `leave`: it has none of its own, what its commands see belongs to a machine; a new one
 * starts without. `refuse`: its files would come out of containment, which only a person may decide.
 */
export type Change = 'move' | 'leave' | 'refuse';

export function changeOf(old: LedgerEntry, policy: SandboxPolicy): Change {
  if (!wasIsolated(old)) return 'leave';
  return isIsolated(policy.isolation) ? 'move' : 'refuse';
}

/** Whatever runs in it and whatever it holds: commands that are to be contained never run in one that contains nothing (P2). */
export function mustNotBeUsed(old: LedgerEntry, policy: SandboxPolicy): boolean {
  return isIsolated(policy.isolation) && !wasIsolated(old);
}

/** Whether it reaches something that the settings do not allow any more. */
export function reachesMore(old: LedgerEntry, policy: SandboxPolicy): boolean {
  const { network, mounts, env } = policyOf(old);
  const isIn = (now: readonly string[]) => (each: string) => now.includes(each);
  return (
    mustNotBeUsed(old, policy) ||
    (network?.value !== 'none' && policy.network.value === 'none') ||
    !(mounts?.value ?? []).every(isIn(policy.mounts.value)) ||
    !(env?.value ?? []).every(isIn(policy.env.value))
  );
}

function wasIsolated(old: LedgerEntry): boolean {
  const { isolation } = policyOf(old);
  return isolation !== undefined && isIsolated(isolation);
}

function policyOf(old: LedgerEntry): Partial<SandboxPolicy> {
  return old.policy as Partial<SandboxPolicy>; // as SandboxLife wrote it, perhaps an older one
}
