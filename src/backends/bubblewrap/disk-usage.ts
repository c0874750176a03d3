// How much disk a sandbox uses: what is in its folders, and what its processes have deleted and still hold open.
import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';

export interface MeasuredSandbox {
  readonly folders: readonly string[];
  /** The first process inside, on the host; absent = none lives. */
  readonly first?: number;
  /** Where programs are looked for. */
  readonly path: string;
}

/** In bytes. `du` does not follow links and goes by handles, so nothing in the folders can lead it elsewhere. */
export async function measureDisk({ folders, first, path }: MeasuredSandbox): Promise<number> {
  const named = await namedBytes(folders, path);
  return first === undefined ? named : named + deletedBytes(folders, first);
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

function deletedBytes(folders: readonly string[], first: number): number {
  const [folder = '/'] = folders;
  const device = statSync(folder).dev;
  const namespace = unlessGone(() => readlinkSync(`/proc/${first}/ns/pid`));
  const pids = namespace === undefined ? [] : readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const inside = pids.filter(pid => unlessGone(() => readlinkSync(`/proc/${pid}/ns/pid`)) === namespace);
  const sizes = new Map<number, number>();
  for (const fds of inside.map(pid => `/proc/${pid}/fd`)) {
    for (const fd of unlessGone(() => readdirSync(fds)) ?? []) {
      const about = unlessGone(() => statSync(join(fds, fd)));
      if (about?.isFile() && about.nlink === 0 && about.dev === device)
        sizes.set(about.ino, about.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
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
