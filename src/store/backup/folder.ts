// The folder of backups: its names, and a place in it where one is made or taken apart.

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../base/errors.ts';
import { randomCode } from '../../base/ids.ts';
import { ifThere } from '../../base/if-there.ts';
import { ensurePrivateDir } from '../../base/private-files.ts';
import { systemReason } from '../../base/system-reason.ts';

const STAGING = '.staging-';
/** Whoever made it is gone by then. */
const STALE_MS = 24 * 3_600_000;
const NAME = /^hermes-\d{8}-\d{6}-[a-z0-9]{4}(?:-before-migration)?\.tar\.gz$/;

export function backupFolder(home: string): string {
  return join(home, 'backups');
}

export function isBackupFile(name: string): boolean {
  return NAME.test(name);
}

/** `20261115-162955-k3v9`: in the order of time, and never twice. */
export function stampOf(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomCode(4)}`;
}

/** Gives `work` an empty private folder on the disk of the backups, and removes it. Throws UNAVAILABLE_BACKUP. */
export async function withStaging<T>(
  home: string,
  clock: Clock,
  work: (staging: string) => Promise<T>,
): Promise<T> {
  const folder = backupFolder(home);
  try {
    await ensurePrivateDir(home);
    await ensurePrivateDir(folder);
    await removeStale(folder, clock);
    const staging = join(folder, `${STAGING}${randomCode(8)}`);
    await mkdir(staging, { mode: 0o700 });
    try {
      return await work(staging);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    throw inWords(error, folder);
  }
}

/** What the disk refuses, and what SQLite could not write of its copy. */
function inWords(error: unknown, folder: string): unknown {
  const isDisk = isHermesError(error, 'UNAVAILABLE_STORE_DISK');
  if (!isDisk && (error instanceof HermesError || systemErrorCode(error) === undefined)) return error;
  const why = isDisk ? String(error.details['reason']) : systemReason(error);
  const message = `The backup in ${folder} could not be made: ${why}. What was there is unchanged. Mend that, and try again.`;
  return new HermesError('UNAVAILABLE_BACKUP', message, { details: { folder }, cause: error });
}

async function removeStale(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGING)) continue;
    const path = join(folder, name);
    const found = await ifThere(stat(path));
    if (found && clock.now() - found.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}
