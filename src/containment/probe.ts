// The contract of a containment probe: something that a sandbox must not be able to do, tried for real, and judged by
// what can be seen on the machine that runs Hermes.
import type { Enforcement, Isolation, Limits, Mount, Network } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { Host } from './host.ts';

/** `not enforceable here`: nothing holds it, or nobody can tell. It counts as exposure. */
export type Verdict = 'contained' | 'not contained' | 'not enforceable here';

export const families = [
  'files',
  'processes',
  'privileges',
  'kernel',
  'devices',
  'network',
  'sockets',
  'neighbours',
  'limits',
  'life',
  'protocol',
] as const;

export type Family = (typeof families)[number];

export interface Finding {
  readonly verdict: Verdict;
  /** One short sentence: what was seen. */
  readonly found: string;
}

/** What the sandbox was promised to be: capabilities of its backend, the spec, and what holds of its limits. */
export interface Policy {
  readonly isolation: Isolation;
  readonly ownProcesses: boolean;
  readonly network: Network;
  readonly enforcement: Enforcement;
  readonly mounts: readonly Mount[];
  /** Whether folders of this machine can be put into it at all. */
  readonly canMount: boolean;
  /** Where the canary files of this machine lie; a mount of it hands them over. */
  readonly canaryFolder: string;
  /** This machine has an address besides loopback that can be tried. */
  readonly hasLan: boolean;
}

export interface Probe {
  /** `family.what`. */
  readonly id: string;
  readonly family: Family;
  /** What is tried, as a few words. */
  readonly title: string;
  /** The judges are other sandboxes and their results, so that it can be tried on another machine too. */
  readonly judgedBySandboxes?: true;
  /** Which verdict the policy leads one to expect. */
  expected(policy: Policy): Verdict;
  /** Tries it. Never harms the machine if it succeeds, and removes what it made. */
  attempt(ground: Ground): Promise<Finding>;
}

/** What a probe uses of a sandbox. */
export type Place = Pick<SandboxHandle, 'exec' | 'readFile' | 'writeFile' | 'destroy' | 'workdir'>;

/** What a probe works with. */
export interface Ground {
  readonly policy: Policy;
  readonly clock: Clock;
  /** The sandbox under test. */
  readonly place: Place;
  /** One of another session. */
  readonly neighbour: Place;
  /** The canaries on this machine, and eyes on its processes. */
  readonly host: Host;
  /** A further sandbox of the same kind, destroyed at the end if the probe does not do it. */
  open(limits?: Limits, mounts?: readonly Mount[]): Promise<Place>;
}

export function contained(found: string): Finding {
  return { verdict: 'contained', found };
}

export function exposed(found: string): Finding {
  return { verdict: 'not contained', found };
}

export function unknown(found: string): Finding {
  return { verdict: 'not enforceable here', found };
}
