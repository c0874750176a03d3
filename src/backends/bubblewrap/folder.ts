// The folder of a sandbox on the host: what outlives its processes. The label in it says whose it is and how its
// namespaces are made again.
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, lstat, open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import type { Limits, Network, SandboxRef } from '../backend.ts';
import { entriesOf } from '../host-paths.ts';
import { etcFiles } from './environment.ts';
import type { CheckedMount } from './mounts.ts';

export interface Label {
  readonly ref: SandboxRef;
  /** Who its processes are on the host. */
  readonly uid: number;
  readonly gid: number;
  readonly limits: Limits;
  readonly network: Network;
  readonly mounts: readonly CheckedMount[];
  readonly workdir: string;
  /** The control groups of its last life. */
  readonly cgroups: readonly string[];
}

const LABEL = 'label.json';
const PREFIX = 'hermes-';
/** Written by the sandbox's user. */
const KEPT = ['home', 'workspace'];
/** Used by it and the gateway. Its plain files are the state of the persistent shell, its folders those of processes. */
const CHANNEL = 'channel';
const IO = 'io';
const ETC = 'etc';
/** For its first lane (see starter.sh). */
const READY = 'ready';
const ROOT_TOP = '/var/lib/hermes-sandboxes';

/**
 * Where an installation's sandboxes are. As root not below its home: a sandbox's user could not get through that, and
 * bubblewrap finds folders by their path.
 */
export function topFolder(home: string, asRoot: boolean): string {
  if (!asRoot) return join(home, 'sandboxes');
  return join(ROOT_TOP, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

export function nameOf(id: string): string {
  return `${PREFIX}${id}`;
}

/** Names become paths; whatever else stands in a ref, only these are ours. */
export function isName(name: string): boolean {
  return /^hermes-[A-Za-z0-9][A-Za-z0-9_-]{0,55}$/.test(name);
}

// What follows makes some dozen names; that takes less time than one hand-over to another thread.

/** Writes the label first, so that a half-made folder is found, and what `isWhole` looks for last. */
export function makeFolder(folder: string, label: Label): void {
  makeTop(folder);
  writeLabel(folder, label);
  for (const name of KEPT) ownDir(join(folder, name), label);
  const etc = join(folder, ETC);
  makeDir(etc, 0o755);
  for (const [name, text] of Object.entries(etcFiles(label.ref.name, label.network))) {
    writeFileSync(join(etc, name), text);
    chmodSync(join(etc, name), 0o644);
  }
}

/** As root its user has to get through these, but not to see what is in them. */
function makeTop(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const dirs = isRoot ? [dirname(dirname(folder)), dirname(folder), folder] : [dirname(folder), folder];
  for (const dir of dirs) chmodSync(dir, isRoot ? 0o711 : 0o700);
}

/** Whatever the umask is, and whether it is there or not. */
function makeDir(path: string, mode: number): void {
  if (!existsSync(path)) mkdirSync(path);
  chmodSync(path, mode);
}

/** In one step. */
export function writeLabel(folder: string, label: Label): void {
  const path = join(folder, LABEL);
  writeFileSync(`${path}.new`, JSON.stringify(label), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Resolves when the label would be there after a power failure; nobody has to wait for that before. */
export async function saveLabel(folder: string): Promise<void> {
  for (const path of [join(folder, LABEL), folder]) {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** What belongs to the processes of one life goes: pipes and process ids of the last one mean nothing. */
export async function freshen(folder: string, label: Label): Promise<void> {
  for (const dir of [CHANNEL, IO].map(name => join(folder, name))) {
    ownDir(dir, label);
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const isState = dir.endsWith(CHANNEL) && entry.isFile() && entry.name !== READY;
      if (!isState) await removeTree(join(dir, entry.name));
    }
  }
  ownDir(join(folder, CHANNEL, READY), label);
}

function ownDir(path: string, { uid, gid }: Label): void {
  makeDir(path, 0o700);
  if (uid !== process.getuid?.()) chownSync(path, uid, gid);
}

/** Places to put mounts on where the sandbox's user could not reach their sources (see launch.ts). */
export function makePlaces(folder: string, mounts: readonly CheckedMount[]): void {
  makeDir(join(folder, 'places'), 0o711);
  makeDir(placeOf(folder, 'root'), 0o711);
  for (const [at, { isFolder }] of mounts.entries()) {
    if (isFolder) makeDir(placeOf(folder, at), 0o711);
    else writeFileSync(placeOf(folder, at), '');
  }
}

/** Where a sandbox can put something on the disk, but for what is mounted. */
export function diskFolders(folder: string): string[] {
  return [...KEPT, CHANNEL, IO].map(name => join(folder, name));
}

/** Of the starter's named pipes. */
export function ioFolder(folder: string): string {
  return join(folder, IO);
}

export function placeOf(folder: string, at: number | 'root'): string {
  return join(folder, 'places', String(at));
}

/** Undefined for whatever is not a sandbox of ours, or not any more. */
export async function readLabel(folder: string): Promise<Label | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, LABEL), 'utf8')) as Label; // our own file, in a folder of ours
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The folders below this one that may be sandboxes. */
export function foldersBelow(dir: string): Promise<string[]> {
  return entriesOf(dir, isName);
}

/** False for one whose making or removal was cut short. */
export function isWhole(folder: string): boolean {
  return existsSync(join(folder, ETC, 'nsswitch.conf'));
}

/** The label goes last: until then what is left of the sandbox can be found. */
export async function removeFolder(folder: string): Promise<void> {
  await removeTree(join(folder, ETC));
  const entries = (await unlessGone(readdir(folder))) ?? [];
  await Promise.all(entries.filter(name => name !== LABEL).map(name => removeTree(join(folder, name))));
  await rm(folder, { recursive: true, force: true });
  // The last one takes the installation's folder with it.
  await unlessGone(rmdir(dirname(folder)));
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTEMPTY') return undefined;
    throw error;
  }
}

async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw error;
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** An ordinary user cannot empty a folder that a command has closed to its owner. No process of it lives any more. */
async function unlock(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await unlock(join(path, name));
}
