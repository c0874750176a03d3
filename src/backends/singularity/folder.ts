// The folder of a sandbox on the host: its files, and the label that says whose it is and how its instance is started
// again. All of it belongs to who the sandbox is on this machine.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, lstat, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import type { Limits, Mount, SandboxRef } from '../backend.ts';
import { entriesOf } from '../host-paths.ts';
import type { HostProcess } from './host-process.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Label extends Owner {
  readonly ref: SandboxRef;
  readonly limits: Limits;
  /** `none`, `host`, or the name of a CNI network. */
  readonly network: string;
  readonly mounts: readonly Mount[];
  readonly workdir: string;
  /** A file or a folder of this machine. */
  readonly image: string;
  /** Whether changes to the image are kept on disk. */
  readonly persistent: boolean;
}

/** The processes that carry it now; for whoever takes it over or ends it. */
export interface Running {
  readonly monitor: HostProcess;
  readonly first: HostProcess;
  /** Whether processes are limited by what starts them, for want of something better. */
  readonly countsProcesses: boolean;
  readonly held: readonly (keyof Limits)[];
}

/** Below the sandbox's folder. */
export const PARTS = {
  workspace: 'workspace',
  home: 'home',
  /** Its plain files are the state of the persistent shell, its folders those of processes. */
  channel: 'channel',
  /** For /tmp and /var/tmp. */
  temporary: 'temporary',
  overlay: 'overlay',
  /** What Apptainer itself writes down about the instance. */
  engine: 'engine',
} as const;

const LABEL = 'label.json';
const RUNNING = 'running.json';
const FILTER = 'seccomp.json';

export function nameOf(id: string): string {
  return `hermes-${id}`;
}

/** Names become paths; whatever else stands in a ref, only these are ours. */
export function isName(name: string): boolean {
  return /^hermes-[A-Za-z0-9][A-Za-z0-9_-]{0,55}$/.test(name);
}

// What follows makes some ten names; that takes less time than one hand-over to another thread.

/** Writes the label first, so that a half-made folder is found. */
export function makeFolder(folder: string, label: Label, filter: string): void {
  makeOwnDir(folder, label);
  writeWhole(join(folder, LABEL), JSON.stringify(label));
  writeWhole(join(folder, FILTER), filter);
  if (isOthers(label)) chownSync(join(folder, FILTER), label.uid, label.gid);
  for (const part of Object.values(PARTS)) makeOwnDir(join(folder, part), label);
}

/** Private, and theirs, with all folders on the way to it that are not there. */
export function makeOwnDir(path: string, owner: Owner): void {
  if (existsSync(path)) return;
  makeOwnDir(dirname(path), owner);
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
  if (isOthers(owner)) chownSync(path, owner.uid, owner.gid);
}

function isOthers({ uid }: Owner): boolean {
  return uid !== process.getuid?.();
}

export function filterFile(folder: string): string {
  return join(folder, FILTER);
}

/** What belongs to the processes of one life goes: pipes and process ids of the last one mean nothing. */
export async function freshen(folder: string): Promise<void> {
  const channel = join(folder, PARTS.channel);
  for (const entry of readdirSync(channel, { withFileTypes: true })) {
    if (!entry.isFile()) await removeTree(join(channel, entry.name));
  }
}

export function writeRunning(folder: string, running: Running): void {
  writeWhole(join(folder, RUNNING), JSON.stringify(running));
}

/** In one step. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Undefined for whatever is not a sandbox of ours, or not any more. */
export async function readLabel(folder: string): Promise<Label | undefined> {
  return (await readJson(join(folder, LABEL))) as Label | undefined; // our own file, in a folder of ours
}

/** Undefined while it was never started. */
export async function readRunning(folder: string): Promise<Running | undefined> {
  return (await readJson(join(folder, RUNNING))) as Running | undefined; // likewise
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
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
  return existsSync(join(folder, PARTS.engine));
}

/** The label goes last: until then what is left of the sandbox can be found. */
export async function removeFolder(folder: string): Promise<void> {
  await removeTree(join(folder, PARTS.engine));
  const entries = existsSync(folder) ? await readdir(folder) : [];
  await Promise.all(entries.filter(name => name !== LABEL).map(name => removeTree(join(folder, name))));
  await rm(folder, { recursive: true, force: true });
}

export async function removeTree(path: string): Promise<void> {
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
