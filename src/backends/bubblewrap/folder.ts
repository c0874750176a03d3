// The folder of a sandbox on the host: what outlives its processes. The label in it says whose it is and how its
// namespaces are made again.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isSomebodyElse, removeOwned } from '../as-owner.ts';
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
/** Used by it and the gateway. */
const CHANNEL = 'channel';
const IO = 'io';
/** In the channel's folder: the state of the persistent shell. All else there belongs to processes. */
const STATE = ['saved', 'state.0', 'state.1', 'traps'];
/** Of an earlier life, to be removed. */
const OLD = 'old-';
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
  for (const name of KEPT) {
    makeDir(join(folder, name), 0o700);
    own(join(folder, name), label);
  }
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

/**
 * What belongs to the processes of one life goes: pipes and process ids of the last one mean nothing. As root we do nothing in the
 * old folders, which their user can write, but move names out of them. New ones are ours alone until they are complete.
 */
export async function freshen(folder: string, label: Label): Promise<void> {
  const old = setAside(folder, CHANNEL);
  setAside(folder, IO);
  const channel = join(folder, CHANNEL);
  for (const dir of [channel, join(folder, IO), join(channel, READY)]) makeDir(dir, 0o700);
  if (old !== undefined) keepState(old, channel);
  for (const dir of [join(channel, READY), channel, join(folder, IO)]) own(dir, label);
  // A user who keeps filling them does not keep the sandbox from starting: the next start or its end tries again.
  await Promise.allSettled([removeOwned(label, asideIn(folder))]);
}

/** Moves it away; undefined when there is none. */
function setAside(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  // A command may have closed it to its owner.
  chmodSync(path, 0o700);
  const aside = join(folder, `${OLD}${newId()}`);
  renameSync(path, aside);
  return aside;
}

/** Also what lies there after a crash. */
function asideIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.startsWith(OLD))
    .map(name => join(folder, name));
}

/** Moving a name follows no link; whatever it is by now, it goes to where its user could have put it too. */
function keepState(from: string, channel: string): void {
  for (const name of STATE) {
    if (lstatSync(join(from, name), { throwIfNoEntry: false })?.isFile())
      moveIfThere(join(from, name), join(channel, name));
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}

/** The folder around it must be ours alone, so that nobody can have put a link in its place. */
function own(path: string, label: Label): void {
  if (isSomebodyElse(label)) chownSync(path, label.uid, label.gid);
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
export async function removeFolder(folder: string, label: Label): Promise<void> {
  await rm(join(folder, ETC), { recursive: true, force: true });
  const entries = (await unlessGone(readdir(folder))) ?? [];
  const theirs = entries.filter(name => [...KEPT, CHANNEL, IO].includes(name) || name.startsWith(OLD));
  await removeOwned(
    label,
    theirs.map(name => join(folder, name)),
  );
  const ours = entries.filter(name => name !== LABEL && !theirs.includes(name));
  await Promise.all(ours.map(name => rm(join(folder, name), { recursive: true, force: true })));
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
