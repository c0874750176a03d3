// How far each limit of a sandbox holds, and what its starter sets where no control group does.
import type { Enforcement, Limits, Strength } from '../backend.ts';

/** A memory disk of every sandbox. */
export const TMP_MIB = 512;

/** The controllers that hold limits of this sandbox. */
type Held = ReadonlySet<string>;

interface Kernel {
  readonly asRoot: boolean;
  readonly countsProcessesApart: boolean;
  /** Their sum can be watched; by itself only the size of each file is limited. */
  readonly measuresDisk: boolean;
}

/** Pure. Limits that are not wanted are held by nobody. */
export function enforcementOf(limits: Limits, held: Held, kernel: Kernel): Enforcement {
  const wanted = (limit: number | undefined, strength: Strength): Strength =>
    limit === undefined ? 'none' : strength;
  // As root the sandbox has a user of its own on the host, so the count is its own too.
  const counted = kernel.asRoot || kernel.countsProcessesApart ? 'enforced' : 'soft';
  return {
    cpus: wanted(limits.cpus, held.has('cpu') ? 'enforced' : 'none'),
    // Without a group each process is limited, and not their sum.
    memory: wanted(limits.memoryMiB, held.has('memory') ? 'enforced' : 'soft'),
    disk: wanted(limits.diskMiB, kernel.measuresDisk ? 'soft' : 'none'),
    processes: wanted(limits.processes, held.has('pids') ? 'enforced' : counted),
    tmpMiB: TMP_MIB,
  };
}

/** The arguments of starter.sh: processes, memory and file size in the units of `ulimit`; `-` = not limited there. */
export function starterLimits({ processes, memoryMiB, diskMiB }: Limits, held: Held): string[] {
  const kibibytes = (mebibytes: number | undefined): string =>
    mebibytes === undefined ? '-' : String(mebibytes * 1024);
  return [
    held.has('pids') || processes === undefined ? '-' : String(processes),
    held.has('memory') ? '-' : kibibytes(memoryMiB),
    kibibytes(diskMiB),
  ];
}
