// Eyes on the processes of this machine: what the kernel says of a process in a sandbox, as seen from outside it.
import type { Stats } from 'node:fs';
import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import { type Clock, sleep } from '../base/clock.ts';
import { systemErrorCode } from '../base/errors.ts';

const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL', 'ENOTDIR', 'ENXIO'];
const POLL_MS = 20;

export interface OpenFile {
  readonly path: string;
  readonly stats: Stats;
  /** The magic number of its file system. */
  readonly fileSystem: number;
  readonly isWritable: boolean;
}

/** Undefined for what is gone, or not for us to see. */
export async function unlessHidden<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (GONE.includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Those whose arguments contain the marker, but for this process. */
export async function processesWith(marker: string): Promise<readonly number[]> {
  const names = (await unlessHidden(readdir('/proc'))) ?? [];
  const pids = names.map(Number).filter(pid => pid > 0 && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async pid => (await unlessHidden(readFile(`/proc/${pid}/cmdline`, 'utf8')))?.includes(marker)),
  );
  return pids.filter((_, at) => found[at]);
}

/** Tries until it gives something, or the time is up. */
export async function waitFor<T>(
  clock: Clock,
  limitMs: number,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const found = await attempt();
    if (found !== undefined || clock.monotonic() > end) return found;
    await sleep(clock, POLL_MS);
  }
}

/** A line of /proc/PID/status, such as `CapEff`. */
export async function statusOf(pid: number, name: string): Promise<string | undefined> {
  const text = await unlessHidden(readFile(`/proc/${pid}/status`, 'utf8'));
  return text === undefined ? undefined : new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
}

/** The numbers of /proc/PID/stat, the first of which, the state of the process, is number 3. */
export async function statOf(pid: number): Promise<readonly number[] | undefined> {
  const text = await unlessHidden(readFile(`/proc/${pid}/stat`, 'utf8'));
  // The name stands in parentheses and may itself contain anything.
  return text === undefined
    ? undefined
    : [
        0,
        0,
        0,
        ...text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number),
      ];
}

export async function filesOf(pid: number): Promise<readonly OpenFile[]> {
  const names = (await unlessHidden(readdir(`/proc/${pid}/fd`))) ?? [];
  const files = await Promise.all(names.map(name => unlessHidden(openFile(pid, name))));
  return files.filter(file => file !== undefined);
}

async function openFile(pid: number, name: string): Promise<OpenFile> {
  const at = `/proc/${pid}/fd/${name}`;
  const info = await readFile(`/proc/${pid}/fdinfo/${name}`, 'utf8');
  const flags = Number.parseInt(/^flags:\s*(\d+)$/m.exec(info)?.[1] ?? '0', 8);
  const { type } = await statfs(at);
  return { path: await readlink(at), stats: await stat(at), fileSystem: type, isWritable: (flags & 3) !== 0 };
}

export async function mountsOf(pid: number): Promise<readonly string[]> {
  return ((await unlessHidden(readFile(`/proc/${pid}/mountinfo`, 'utf8'))) ?? '').split('\n');
}

/** Seconds of processor time that these have used so far. */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const TICKS = 100;
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, fields) => sum + ((fields?.[14] ?? 0) + (fields?.[15] ?? 0)) / TICKS, 0);
}
