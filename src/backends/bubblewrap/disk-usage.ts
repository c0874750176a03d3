// How much disk a sandbox uses: what is in its folders, and what its processes have deleted and still hold open or mapped.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { systemErrorCode } from '../../base/errors.ts';

export interface MeasuredSandbox {
  readonly folders: readonly string[];
  /** The first process inside, on the host; absent = none lives. */
  readonly first?: number;
  /** Where programs are looked for. */
  readonly path: string;
}

export interface DiskUsage {
  readonly bytes: number;
  /** Whether descriptors are on their way between its processes, in no one's hands: what they hold cannot be counted. */
  readonly hasUnseen: boolean;
}

/** `du` does not follow links and goes by handles, so nothing in the folders can lead it elsewhere. */
export async function measureDisk({ folders, first, path }: MeasuredSandbox): Promise<DiskUsage> {
  const named = await namedBytes(folders, path);
  if (first === undefined) return { bytes: named, hasUnseen: false };
  const pids = processesBeside(first);
  const [folder = '/'] = folders;
  const sizes = deletedFiles(pids, statSync(folder).dev);
  const deleted = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { bytes: named + deleted, hasUnseen: pids.some(holdsUnseen) };
}

function namedBytes(folders: readonly string[], path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    execFile('du', ['-skx', '--', ...folders], { env: { PATH: path } }, (error, stdout) => {
      // Files that go away meanwhile, and folders that are closed, make it fail after it has told the rest.
      if (error && typeof error.code !== 'number') return reject(error);
      const kibibytes = stdout.match(/^\d+/gm) ?? [];
      return resolve(kibibytes.reduce((sum, each) => sum + Number(each) * 1024, 0));
    });
  });
}

// What the kernel tells of processes takes less time than a hand-over to another thread.

/** All in the same process namespace. */
function processesBeside(first: number): string[] {
  const namespace = unlessGone(() => readlinkSync(`/proc/${first}/ns/pid`));
  const pids = namespace === undefined ? [] : readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.filter(pid => unlessGone(() => readlinkSync(`/proc/${pid}/ns/pid`)) === namespace);
}

/** Those that are open, and those that are only mapped, by their number; in bytes. */
function deletedFiles(pids: readonly string[], device: number): Map<number, number> {
  const sizes = new Map<number, number>();
  const add = (path: string): void => {
    const about = unlessGone(() => statSync(path));
    if (about?.isFile() && about.nlink === 0 && about.dev === device)
      sizes.set(about.ino, about.blocks * 512);
  };
  for (const pid of pids) {
    for (const fd of namesIn(`/proc/${pid}/fd`)) add(`/proc/${pid}/fd/${fd}`);
    for (const range of mappedDeleted(pid)) add(`/proc/${pid}/map_files/${range}`);
  }
  return sizes;
}

/** Mostly none; so only these are looked at by file. */
function mappedDeleted(pid: string): string[] {
  const maps = unlessGone(() => readFileSync(`/proc/${pid}/maps`, 'utf8')) ?? '';
  return [...maps.matchAll(/^([0-9a-f]+-[0-9a-f]+) .* \(deleted\)$/gm)].map(([, range = '']) =>
    range.replace(/(?<=^|-)0+(?=[0-9a-f])/g, ''),
  );
}

/** A socket in whose queue descriptors wait to be taken; the kernel tells their number since Linux 5.8. */
function holdsUnseen(pid: string): boolean {
  return namesIn(`/proc/${pid}/fd`).some(fd => {
    const isSocket = unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`))?.startsWith('socket:');
    if (!isSocket) return false;
    const about = unlessGone(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? '';
    return Number(/^scm_fds:\s*(\d+)/m.exec(about)?.[1] ?? 0) > 0;
  });
}

function namesIn(folder: string): string[] {
  return unlessGone(() => readdirSync(folder)) ?? [];
}

/** Processes end while they are looked at, and those of others are nobody's business. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}
