// Control groups for the limits of a sandbox, version 1 or 2, where this process may make them: as root, or below a
// group that was delegated to its user.
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, sleep } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import type { Limits } from '../backend.ts';

type Controller = 'memory' | 'pids' | 'cpu';
const CONTROLLERS: readonly Controller[] = ['memory', 'pids', 'cpu'];

/** Where groups can be made: for each controller the parent, and which version's files are in it. */
export interface CgroupPlaces {
  readonly version: 1 | 2;
  readonly parents: Readonly<Partial<Record<Controller, string>>>;
}

/** One group to make, with what is written to its files, in that order. */
export interface CgroupPlan {
  readonly folder: string;
  readonly controllers: readonly Controller[];
  readonly files: readonly (readonly [name: string, value: string])[];
}

const PERIOD_US = 100_000;

/** The groups that hold these limits. Pure. */
export function planCgroups(places: CgroupPlaces, name: string, limits: Limits): CgroupPlan[] {
  const wanted = CONTROLLERS.filter(
    controller => files(places.version, controller, limits).length > 0 && places.parents[controller],
  );
  const folders = new Map<string, Controller[]>();
  for (const controller of wanted) {
    const folder = join(places.parents[controller] ?? '', name);
    folders.set(folder, [...(folders.get(folder) ?? []), controller]);
  }
  return [...folders].map(([folder, controllers]) => ({
    folder,
    controllers,
    files: controllers.flatMap(controller => files(places.version, controller, limits)),
  }));
}

function files(version: 1 | 2, controller: Controller, limits: Limits): [string, string][] {
  const { memoryMiB, processes, cpus } = limits;
  if (controller === 'pids') return processes === undefined ? [] : [['pids.max', String(processes)]];
  if (controller === 'memory') {
    if (memoryMiB === undefined) return [];
    const bytes = String(memoryMiB * 1024 * 1024);
    return version === 1
      ? [
          ['memory.limit_in_bytes', bytes],
          ['memory.memsw.limit_in_bytes', bytes],
        ] // second: swap is no way out
      : [
          ['memory.max', bytes],
          ['memory.swap.max', '0'],
        ];
  }
  if (cpus === undefined) return [];
  const quota = String(Math.round(cpus * PERIOD_US));
  return version === 1
    ? [
        ['cpu.cfs_period_us', String(PERIOD_US)],
        ['cpu.cfs_quota_us', quota],
      ]
    : [['cpu.max', `${quota} ${PERIOD_US}`]];
}

/** Where the kernel counts memory kills of the group, and the name under which the shell channel looks for it. */
export function oomCountOf({ version }: CgroupPlaces, plans: readonly CgroupPlan[]) {
  const folder = plans.find(({ controllers }) => controllers.includes('memory'))?.folder;
  if (folder === undefined) return undefined;
  return version === 1
    ? { source: join(folder, 'memory.oom_control'), path: '/sys/fs/cgroup/memory/memory.oom_control' }
    : { source: join(folder, 'memory.events'), path: '/sys/fs/cgroup/memory.events' };
}

/** Through which file processes get into a group, and who writes to it. */
export interface Joining {
  /** Version 1: the first process inside writes itself, one thread, for which the kernel waits for nobody. */
  readonly inside: readonly string[];
  /** Version 2 knows only whole processes. That takes the kernel some milliseconds; they pass while bubblewrap mounts. */
  readonly outside: readonly string[];
}

/** Pure. */
export function joiningOf({ version }: CgroupPlaces, plans: readonly CgroupPlan[]): Joining {
  const files = plans.map(({ folder }) => join(folder, version === 1 ? 'tasks' : 'cgroup.procs'));
  return version === 1 ? { inside: files, outside: [] } : { inside: [], outside: files };
}

// What follows reads and writes the kernel's own files; that takes less time than one hand-over to another thread.

/** Makes the groups; the ones that could be made are returned. */
export function makeCgroups(plans: readonly CgroupPlan[]): CgroupPlan[] {
  return plans.filter(make);
}

function make({ folder, files: values }: CgroupPlan): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, value] of values) writeSetting(join(folder, name), value);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    removeEmpty(folder);
    return false;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Swap is limited only where the kernel counts it. */
function writeSetting(path: string, value: string): void {
  try {
    writeFileSync(path, value);
  } catch (error) {
    const isSwap = /memsw|swap/.test(path);
    if (!isSwap || !isRefusal(error)) throw error;
  }
}

const BUSY_ROUNDS = 100;
const BUSY_MS = 10;

/** Its processes have been killed; the kernel may need a moment until it knows. */
export async function removeCgroups(folders: readonly string[], clock: Clock): Promise<void> {
  for (const folder of folders) {
    for (let round = 0; !(await removeCgroup(folder)) && round < BUSY_ROUNDS; round++)
      await sleep(clock, BUSY_MS);
  }
}

/** False while something is in it. */
async function removeCgroup(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'EBUSY') return false;
    if (!isRefusal(error)) throw error;
  }
  return true;
}

function isRefusal(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EINVAL', 'ENOTSUP'].includes(systemErrorCode(error) ?? '');
}

/** Reads where this process is, and looks there and above for a place where groups can be made. */
export function findCgroupPlaces(): CgroupPlaces {
  const [mounts, own] = [lines('/proc/self/mounts'), lines('/proc/self/cgroup')];
  const v1 = legacyParents(mounts, own);
  if (Object.keys(v1).length > 0) return { version: 1, parents: v1 };
  const root = mounts.map(line => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
  const path = own.find(line => line.startsWith('0::'))?.slice(3);
  const parent = root === undefined || path === undefined ? undefined : unifiedParent(root, join(root, path));
  const parents = parent ? Object.fromEntries(CONTROLLERS.map(name => [name, parent])) : {};
  return { version: 2, parents };
}

function legacyParents(mounts: readonly string[], own: readonly string[]) {
  const parents: Partial<Record<Controller, string>> = {};
  for (const controller of CONTROLLERS) {
    const [, point] = mounts
      .map(line => line.split(' '))
      .find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(controller)) ?? [''];
    const line = own.find(entry => entry.split(':')[1]?.split(',').includes(controller));
    if (point === undefined || line === undefined) continue;
    const folder = join(point, line.split(':').slice(2).join(':'));
    if (canWrite(folder)) parents[controller] = folder;
  }
  return parents;
}

/**
 * A group with processes cannot hand out controllers, so it is usually one above ours. Moving a process needs the
 * right to write to the common ancestor's list.
 */
export function unifiedParent(root: string, own: string): string | undefined {
  for (let folder = own; folder.startsWith(root); folder = dirname(folder)) {
    const [handedOut = ''] = lines(join(folder, 'cgroup.subtree_control'));
    const enough = CONTROLLERS.every(controller => handedOut.split(' ').includes(controller));
    if (enough && canWrite(folder) && canWrite(join(folder, 'cgroup.procs'))) return folder;
    if (folder === root) return undefined;
  }
  return undefined;
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}
