// Makes a backup: state, configuration and whatever else is wanted, in one private file with checksums.

import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { ifThere } from '../../base/if-there.ts';
import { stateFile } from '../state-file.ts';
import { copyState } from './copy-state.ts';
import { backupFolder, stampOf, withStaging } from './folder.ts';
import { listBackups } from './list.ts';
import {
  CONFIG,
  type Contents,
  contentsOf,
  isBackupName,
  KEPT_FOLDERS,
  type Manifest,
  SECRETS,
  STATE,
} from './manifest.ts';
import { checksumOf, describeFile, packArchive } from './pack.ts';
import { fitsTar } from './tar.ts';

export type Left = Manifest['left'][number];

export interface CreateOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly reason: Manifest['reason'];
  /** Whether `.env` is in it. */
  readonly secrets: 'included' | 'left out';
  /** Puts further files into the staging folder and returns their names in it; absent = none. */
  readonly stageMore?: (staging: string) => Promise<{ names: readonly string[]; left: readonly Left[] }>;
  /** A copy of this version or a newer one is not kept; absent = every one is. */
  readonly olderThan?: number;
}

export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly madeAt: number;
  readonly contents: Contents;
  readonly left: readonly Left[];
}

/** Undefined when the state is not older than asked for. Throws UNAVAILABLE_BACKUP, or UNAVAILABLE_STORE when it cannot be read. */
export function createBackup(options: CreateOptions): Promise<MadeBackup | undefined> {
  const { home, clock, reason, secrets } = options;
  return withStaging(home, clock, async staging => {
    const source = stateFile(home);
    if (!(await ifThere(stat(source)))) throw nothingThere(home);
    const stateVersion = copyState(source, join(staging, STATE));
    if (options.olderThan !== undefined && stateVersion >= options.olderThan) return undefined;
    const names = [STATE];
    const left: Left[] = [];
    for (const name of [CONFIG, ...(secrets === 'included' ? [SECRETS] : [])])
      if (await copyIfThere(join(home, name), join(staging, name))) names.push(name);
    for (const folder of KEPT_FOLDERS) await copyFolder(home, folder, { staging, names, left });
    const more = await options.stageMore?.(staging);
    names.push(...(more?.names ?? []));
    left.push(...(more?.left ?? []));
    const files = [];
    for (const name of names) files.push(await describeFile(staging, name));
    const manifest: Manifest = { format: 1, madeAt: clock.now(), reason, stateVersion, files, left };
    return finish(home, staging, manifest);
  });
}

/** Complete before it gets its name, and never in place of another. */
async function finish(home: string, staging: string, manifest: Manifest): Promise<MadeBackup> {
  const { reason, madeAt, left } = manifest;
  const suffix = reason === 'asked' ? '' : `-${reason}`;
  const file = join(backupFolder(home), `hermes-${stampOf(madeAt)}${suffix}.tar.gz`);
  const packed = join(staging, 'archive');
  await packArchive(staging, manifest, packed);
  await link(packed, file);
  const { size: bytes = 0 } = (await ifThere(stat(file))) ?? {};
  return { file, bytes, sha256: await checksumOf(file), madeAt, contents: contentsOf(manifest), left };
}

interface Staged {
  readonly staging: string;
  readonly names: string[];
  readonly left: Left[];
}

async function copyFolder(home: string, folder: string, { staging, names, left }: Staged): Promise<void> {
  const top = join(home, folder);
  if (!(await ifThere(stat(top)))) return;
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(home, path);
    if (!isBackupName(name) || !fitsTar(name)) left.push({ name, why: 'its name is not one of ours' });
    else if (await copyIfThere(path, join(staging, name))) names.push(name);
  }
}

/** What a running gateway has removed meanwhile is no loss. */
async function copyIfThere(source: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  return (await ifThere(copyFile(source, target).then(() => true))) ?? false;
}

function nothingThere(home: string): HermesError {
  const message = `There is nothing to back up: ${home} has no state yet. HERMES_HOME names another folder.`;
  return new HermesError('USAGE_NO_STATE', message, { details: { home } });
}

/** Removes all but the newest of a kind; returns the files that went. */
export async function keepNewest(
  home: string,
  reason: Manifest['reason'],
  keep: number,
): Promise<readonly string[]> {
  const ofKind = (await listBackups(home)).filter(each => each.reason === reason);
  const old = ofKind.slice(keep).map(({ file }) => file);
  for (const file of old) await rm(file, { force: true });
  return old;
}
