// Which limits hold where commands run, in words: the same for people and the model. Pure.
import type { Enforcement, Isolation, Limits, Strength } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { isIsolated } from './choose-backend.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';

const WORDS: Readonly<Record<Strength, string>> = {
  enforced: 'enforced',
  soft: 'watched',
  none: 'not enforced here',
};

const UNCONTAINED: Enforcement = { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' };

export interface LimitParts {
  readonly limits: Limits;
  /** Absent = not known. */
  readonly timeoutSeconds?: number | undefined;
  readonly isolation: Isolation;
  /** As its driver found; absent = not known. */
  readonly enforcement?: Enforcement | null | undefined;
}

/** `cpu 1: enforced; memory 512 MiB: watched; disk: no limit`. What is not known has no word. */
export function limitWords({ limits, timeoutSeconds, isolation, enforcement }: LimitParts): string {
  const held = isIsolated(isolation) ? enforcement : UNCONTAINED;
  const said = (name: string, limit: number | undefined, unit: string, strength: Strength | undefined) => {
    if (!limit) return `${name}: no limit`;
    return `${name} ${limit}${unit}${strength ? `: ${WORDS[strength]}` : ''}`;
  };
  return [
    said('cpu', limits.cpus, '', held?.cpus),
    said('memory', limits.memoryMiB, ' MiB', held?.memory),
    said('disk', limits.diskMiB, ' MiB', held?.disk),
    said('processes', limits.processes, '', held?.processes),
    ...(held
      ? [held.tmpMiB ? said('/tmp', held.tmpMiB, ' MiB', 'enforced') : '/tmp: no limit of its own']
      : []),
    // Hermes itself ends what takes longer.
    ...(timeoutSeconds === undefined ? [] : [said('time of a command', timeoutSeconds, ' s', 'enforced')]),
  ].join('; ');
}

export interface LimitsFor {
  /** Of the settings; absent = nothing would run by them. */
  readonly policy?: SandboxPolicy | undefined;
  /** The sandbox that runs. */
  readonly entry?: LedgerEntry | undefined;
  /** How far limits held in the newest sandbox of each policy, by its hash. */
  readonly known?: ReadonlyMap<string, Enforcement> | undefined;
}

/** Of the sandbox that exists, else of what the settings give; says which of the two. Undefined when there is neither. */
export function limitsText({ policy, entry, known }: LimitsFor): string | undefined {
  const made = entry?.policy as Partial<SandboxPolicy> | undefined; // as SandboxLife wrote it, perhaps an older one
  if (entry && made?.limits && made.isolation) {
    const { enforcement = null } = entry;
    const timeout = policy?.timeoutSeconds ?? made.timeoutSeconds;
    const words = limitWords({
      limits: made.limits.value,
      timeoutSeconds: timeout?.value,
      isolation: made.isolation,
      enforcement,
    });
    return `${words} (${enforcement || !isIsolated(made.isolation) ? 'this sandbox' : 'this sandbox; it is older than the record of what holds'})`;
  }
  if (!policy) return undefined;
  const { limits, timeoutSeconds, isolation } = policy;
  const enforcement = known?.get(policyHash(policy));
  const words = limitWords({
    limits: limits.value,
    timeoutSeconds: timeoutSeconds.value,
    isolation,
    enforcement,
  });
  if (!isIsolated(isolation)) return `${words} (current settings)`;
  return enforcement
    ? `${words} (current settings, as in the newest sandbox that they made)`
    : `${words} (current settings; what holds is known once a sandbox has started)`;
}
