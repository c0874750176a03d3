// Paths of this machine, for the backends whose sandboxes are made on it.

import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../base/errors.ts';
import { ifThere } from '../base/if-there.ts';

/** Those that exist, without links. */
export async function resolved(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    try {
      found.push(await realpath(path));
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
    }
  }
  return found;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || isInside(path, folder);
}

export function isInside(path: string, folder: string): boolean {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    if (parent === folder) return path !== folder;
    if (parent === '/') return false;
  }
}

/** What is in a folder under a name that fits; nothing where there is no such folder. */
export async function entriesOf(dir: string, fits: (name: string) => boolean): Promise<string[]> {
  return ((await ifThere(readdir(dir))) ?? []).filter(fits).map(name => join(dir, name));
}
