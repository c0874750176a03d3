// File work below a folder that another user of this machine can write. Root never does that itself: between a look and a step
// that user could put a link where a folder was. A program with that user's rights does it, so a link leads nowhere new.
import { execFile } from 'node:child_process';
import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { systemErrorCode } from '../base/errors.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

export function isSomebodyElse({ uid }: Owner): boolean {
  return uid !== process.getuid?.();
}

/** Runs a program of the system as the owner. Rejects when it fails. */
export function runAsOwner(
  owner: Owner,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<void> {
  const { uid, gid } = owner;
  const options = { cwd: '/', env: { PATH: SYSTEM_PATH }, ...(isSomebodyElse(owner) ? { uid, gid } : {}) };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, error => (error ? reject(error) : resolve()));
    child.stdin?.on('error', () => child.stdin?.destroy()); // shows as the program's end
    child.stdin?.end(input);
  });
}

// Each of these works in this process where the files are our own.

/** With all folders on the way to it that are not there; private. */
export async function makeFolderAs(owner: Owner, path: string): Promise<void> {
  if (isSomebodyElse(owner))
    return runAsOwner(owner, ['sh', '-c', 'umask 077; mkdir -p -- "$1"', 'sh', path]);
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** In one step, and private. */
export async function writeFileAs(owner: Owner, path: string, text: string): Promise<void> {
  const [write, part] = ['umask 077; cat >"$1.new" && mv -f -- "$1.new" "$1"', `${path}.new`];
  if (isSomebodyElse(owner)) return runAsOwner(owner, ['sh', '-c', write, 'sh', path], text);
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, path);
}

export async function moveAs(owner: Owner, from: string, to: string): Promise<void> {
  if (isSomebodyElse(owner)) return runAsOwner(owner, ['mv', '-f', '--', from, to]);
  await rename(from, to);
}

/** Removes whatever is there, with everything in it. */
export async function removeAs(owner: Owner, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const remove = ['rm', '-rf', '--', ...paths] as const;
  const [done] = await Promise.allSettled([runAsOwner(owner, remove)]);
  if (done.status === 'fulfilled') return;
  await unlock(owner, paths);
  await runAsOwner(owner, remove);
}

/** After a crash, what was removing them then, or dying in them, may not be through yet, and is met on the way. */
const MOST_ATTEMPTS = 5;

/**
 * The same for folders whose parent is ours alone, as which we remove them once they are empty. Rejects with ENOTEMPTY where
 * something is left that the owner cannot remove.
 */
export async function removeOwned(owner: Owner, folders: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await Promise.allSettled([removeAs(owner, folders)]); // what it could not do shows in what is left
    const removed = await Promise.allSettled(folders.map(removeEmpty));
    const failed = removed.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return;
    if (systemErrorCode(failed.reason) !== 'ENOTEMPTY' || attempt === MOST_ATTEMPTS) throw failed.reason;
  }
}

/** An ordinary user cannot empty a folder that a command has closed to its owner. */
async function unlock(owner: Owner, paths: readonly string[]): Promise<void> {
  await Promise.allSettled([runAsOwner(owner, ['chmod', '-R', 'u+rwX', '--', ...paths])]);
}

/** Does not follow a link, nor remove anything but an empty folder. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
