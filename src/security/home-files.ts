// Who can get at the files of an installation: what stands in its home, and one step below in folders of ours.
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../base/errors.ts';
import { isBackupFile } from '../store/backup/folder.ts';
import { KEPT_FOLDERS } from '../store/backup/manifest.ts';
import type { LooseFile } from './facts.ts';

export interface HomeFiles {
  readonly isThere: boolean;
  readonly loose: readonly LooseFile[];
  readonly foreign: readonly string[];
}

/** Their entries are looked at too. */
const LOOKED_INTO: readonly string[] = ['backups', 'logs', ...KEPT_FOLDERS];
const OTHERS = 0o077;

/** `uid`: whose they should be. Symbolic links inside are the business of what they point to. */
export async function lookAtHome(home: string, uid: number | undefined): Promise<HomeFiles> {
  const loose: LooseFile[] = [];
  const foreign: string[] = [];
  const look = async (path: string, isSecret: boolean): Promise<boolean> => {
    const found = await (path === home ? stat : lstat)(path).catch(ifThere);
    if (!found || found.isSymbolicLink()) return found !== undefined;
    const mode = found.mode & 0o777;
    if ((mode & OTHERS) !== 0) loose.push({ path, mode, isFolder: found.isDirectory(), isSecret });
    if (uid !== undefined && found.uid !== uid && found.uid !== 0)
      foreign.push(`${path} belongs to user ${found.uid}`);
    return true;
  };
  const isThere = await look(home, false);
  for (const { name } of await entriesOf(home)) {
    await look(join(home, name), name === '.env');
    if (!LOOKED_INTO.includes(name)) continue;
    for (const entry of await entriesOf(join(home, name)))
      await look(join(home, name, entry.name), isBackupFile(entry.name));
  }
  // Behind a folder that keeps others out the modes in it open nothing, but a copy of a file takes its mode along.
  const isShut = !loose.some(({ path }) => path === home);
  return { isThere, loose: isShut ? loose.filter(({ isSecret }) => isSecret) : loose, foreign };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
}

function ifThere(error: unknown): undefined {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}
