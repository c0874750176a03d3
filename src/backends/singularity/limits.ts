// How far limits hold. Apptainer takes them only where the host lets the user have control groups; what it refuses is left
// out and said.
import { readFileSync } from 'node:fs';
import { systemErrorCode } from '../../base/errors.ts';
import type { Enforcement, Limits } from '../backend.ts';

export type LimitName = 'cpus' | 'memoryMiB' | 'processes';

const CONTROLLERS: Readonly<Record<LimitName, string>> = {
  cpus: 'cpu',
  memoryMiB: 'memory',
  processes: 'pids',
};

/**
 * Pure: what is tried, one after the other, until an instance starts. `controllers`: the words of what the system hands
 * down to this user; undefined = nothing, and then there is no need to try.
 */
export function plannedAttempts(controllers: string | undefined): readonly (readonly LimitName[])[] {
  const words = controllers?.trim().split(/\s+/) ?? [];
  const names: readonly LimitName[] = ['cpus', 'memoryMiB', 'processes'];
  const possible = names.filter(name => words.includes(CONTROLLERS[name]));
  return possible.length > 0 ? [possible, []] : [[]];
}

/** Apptainer asks the user's own systemd for a control group, which has what is in this file to give. */
export function controllersOf(uid: number): string | undefined {
  try {
    return readFileSync(
      `/sys/fs/cgroup/user.slice/user-${uid}.slice/user@${uid}.service/cgroup.controllers`,
      'utf8',
    );
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

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
