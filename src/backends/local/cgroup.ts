// A control group for a local sandbox, where this process may make one: whatever a command does to its environment,
// group or parent, it cannot leave the cgroup, so destroying the sandbox reaches it.
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';

export interface Cgroup {
  /** Moves a process in; its children follow by themselves. */
  add(pid: number): Promise<void>;
  /** Ends everything in it. */
  kill(): Promise<void>;
  /** The processes in it. */
  processes(): Promise<number[]>;
  /** Removes it, if it is empty. */
  remove(): Promise<void>;
}

/** Undefined where there is no version 2 hierarchy or we may not write to it. */
export async function openCgroup(name: string, clock: Clock): Promise<Cgroup | undefined> {
  const parent = await ownFolder();
  if (parent === undefined) return undefined;
  const folder = join(parent, name);
  try {
    await mkdir(folder, { recursive: true });
    await access(join(folder, 'cgroup.kill'), constants.W_OK);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    add: pid => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    kill: async () => {
      await unlessGone(writeFile(join(folder, 'cgroup.kill'), '1'));
    },
    processes: async () => {
      const text = (await unlessGone(readFile(join(folder, 'cgroup.procs'), 'utf8'))) ?? '';
      return text.split('\n').filter(Boolean).map(Number);
    },
    remove: () => removeWhenEmpty(folder, clock),
  };
}

const ROUNDS = 100;
const PAUSE_MS = 20;

/** The kernel lets go of killed processes only when it is done with them. */
async function removeWhenEmpty(folder: string, clock: Clock): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      await unlessGone(rmdir(folder));
      return;
    } catch (error) {
      if (systemErrorCode(error) !== 'EBUSY' || round >= ROUNDS) throw error;
      await sleep(clock, PAUSE_MS);
    }
  }
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENODEV') return undefined;
    throw error;
  }
}

/** Our own place in the version 2 hierarchy, wherever it is mounted. */
async function ownFolder(): Promise<string | undefined> {
  try {
    const mounts = await readFile('/proc/self/mounts', 'utf8');
    const mount = mounts.split('\n').find(line => line.split(' ')[2] === 'cgroup2');
    const own = (await readFile('/proc/self/cgroup', 'utf8'))
      .split('\n')
      .find(line => line.startsWith('0::'));
    const root = mount?.split(' ')[1];
    return root === undefined || own === undefined ? undefined : join(root, own.slice(3));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
