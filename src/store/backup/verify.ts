// Whether a backup could be restored: every byte of it, and the database in it, page by page.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import { examine } from '../examine.ts';
import { migrations } from '../migrations/index.ts';
import { withStaging } from './folder.ts';
import { type Contents, contentsOf, type Manifest, STATE } from './manifest.ts';
import { checksumOf } from './pack.ts';
import { unreadable } from './tar.ts';
import { unpackArchive } from './unpack.ts';

export interface VerifiedBackup {
  readonly file: string;
  readonly ok: boolean;
  /** What is wrong with it. */
  readonly problem: string | null;
  readonly sha256: string | null;
  readonly madeAt: number | null;
  readonly contents: Contents | null;
  readonly left: Manifest['left'];
}

/** Throws USAGE_HOST_FILE when there is no such file. Whatever is wrong with its content is in the result. */
export function verifyBackup(home: string, clock: Clock, file: string): Promise<VerifiedBackup> {
  return withStaging(home, clock, async staging => {
    try {
      const manifest = await takeApart(file, staging);
      const { madeAt, left } = manifest;
      const sha256 = await checksumOf(file);
      return { file, ok: true, problem: null, sha256, madeAt, contents: contentsOf(manifest), left };
    } catch (error) {
      const isBroken = isHermesError(error, 'USAGE_BACKUP_UNUSABLE');
      if (!isBroken && !isHermesError(error, 'UNAVAILABLE_STORE')) throw error;
      const reason = error.details['reason'];
      const problem = typeof reason === 'string' ? reason : error.message;
      return { file, ok: false, problem, sha256: null, madeAt: null, contents: null, left: [] };
    }
  });
}

/** Into the folder, with everything looked at. Throws USAGE_BACKUP_UNUSABLE, or UNAVAILABLE_STORE for one that is too new. */
export async function takeApart(file: string, staging: string): Promise<Manifest> {
  const manifest = await unpackArchive(file, staging);
  if (!manifest.files.some(({ name }) => name === STATE)) throw unreadable('it holds no state');
  const path = join(staging, STATE);
  examine({ path, found: await stat(path), depth: 'whole', newest: migrations.length });
  return manifest;
}
