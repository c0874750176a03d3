// Which file a path is, without a symbolic link anywhere on the way: opened component by component, so that nobody can put a link
// there between a look and a step.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';

/** Only a handle: nothing is opened for reading, and no right to read is needed. Node has no name for it. */
const O_PATH = 0o10000000;

/** Throws ELOOP for a path with a link in it; otherwise the errors of the system. */
export function linkFreeStat(path: string): Stats {
  return held(openLinkFree(path), fd => fstatSync(fd));
}

/** Removes a small tree, such as one that is half made, without following a link anywhere. */
export function removeLinkFree(path: string): void {
  held(openLinkFree(dirname(path)), parent => removeIn(parent, basename(path)));
}

function removeIn(parent: number, name: string): void {
  const path = `/proc/self/fd/${parent}/${name}`;
  const isFolder = held(openSync(path, O_PATH | constants.O_NOFOLLOW), fd => {
    if (!fstatSync(fd).isDirectory()) return false;
    for (const each of readdirSync(`/proc/self/fd/${fd}`)) removeIn(fd, each);
    return true;
  });
  if (isFolder) rmdirSync(path);
  else unlinkSync(path);
}

/** A handle, for the caller to close. */
function openLinkFree(path: string): number {
  let fd = openSync('/', O_PATH | constants.O_DIRECTORY);
  try {
    for (const name of path.split('/').filter(Boolean)) {
      const next = openSync(`/proc/self/fd/${fd}/${name}`, O_PATH | constants.O_NOFOLLOW);
      closeSync(fd);
      fd = next;
      if (fstatSync(fd).isSymbolicLink()) throw hasLink(path);
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function held<T>(fd: number, use: (fd: number) => T): T {
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** By device and number: the same for all who see it on this machine. */
export function identityOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

function hasLink(path: string): Error {
  return Object.assign(new Error(`ELOOP: a symbolic link is on the way, '${path}'`), { code: 'ELOOP' });
}
