// The backups of an installation, by their manifests; none of them is read whole.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHermesError } from '../../base/errors.ts';
import { ifThere } from '../../base/if-there.ts';
import { backupFolder, isBackupFile } from './folder.ts';
import { type Contents, contentsOf, type Manifest } from './manifest.ts';
import { readManifest } from './unpack.ts';

export interface ListedBackup {
  readonly file: string;
  readonly bytes: number;
  /** Null of one that cannot be read; its time is then that of the file. */
  readonly contents: Contents | null;
  readonly reason: Manifest['reason'] | null;
  readonly madeAt: number;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** Newest first. Empty where there is no folder of them. */
export async function listBackups(home: string): Promise<readonly ListedBackup[]> {
  const folder = backupFolder(home);
  const names = ((await ifThere(readdir(folder))) ?? []).filter(isBackupFile);
  const listed = await Promise.all(names.map(name => look(join(folder, name))));
  return listed.toSorted((a, b) => b.madeAt - a.madeAt || b.file.localeCompare(a.file));
}

async function look(file: string): Promise<ListedBackup> {
  const { size: bytes, mtimeMs } = await stat(file);
  try {
    const manifest = await readManifest(file);
    const { reason, madeAt } = manifest;
    return { file, bytes, contents: contentsOf(manifest), reason, madeAt };
  } catch (error) {
    if (!isHermesError(error)) throw error;
    const madeAt = Math.floor(mtimeMs);
    return { file, bytes, contents: null, reason: null, madeAt, problem: error.message };
  }
}
