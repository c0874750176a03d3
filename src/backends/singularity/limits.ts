// How far limits hold. Apptainer takes them only where the host lets the user have control groups, and nothing but trying
// tells; what it refuses is left out and said.
import type { Enforcement, Limits } from '../backend.ts';

export type LimitName = 'cpus' | 'memoryMiB' | 'processes';

/**
 * What is tried, one after the other, until an instance starts. Systems hand memory and processes down to users by
 * themselves, processors only when an administrator has said so.
 */
export const ATTEMPTS: readonly (readonly LimitName[])[] = [
  ['cpus', 'memoryMiB', 'processes'],
  ['memoryMiB', 'processes'],
  [],
];

/** Pure: the flags for those of the limits that are tried. */
export function limitFlags({ cpus, memoryMiB, processes }: Limits, tried: readonly LimitName[]): string[] {
  const flag = (name: LimitName, text: string, value: number | undefined): string[] =>
    value === undefined || !tried.includes(name) ? [] : [text, String(value)];
  return [
    ...flag('cpus', '--cpus', cpus),
    ...flag('memoryMiB', '--memory', memoryMiB === undefined ? undefined : memoryMiB * 1024 * 1024),
    ...flag('processes', '--pids-limit', processes),
  ];
}

/** Pure. `countsProcesses`: every process that is started inside has a limit of its own namespace (see enter.sh). */
export function enforcementOf(held: readonly string[], countsProcesses: boolean): Enforcement {
  return {
    cpus: held.includes('cpus') ? 'enforced' : 'none',
    memory: held.includes('memoryMiB') ? 'enforced' : 'none',
    disk: 'none',
    processes: held.includes('processes') || countsProcesses ? 'enforced' : 'none',
  };
}

/** Pure: whether this kernel counts processes apart for each user namespace, as it does since 5.14. */
export function countsApart(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(part => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
