// The folder of a sandbox on the host: its files, and the label that says whose it is and how its instance is started
// again. All of it belongs to who the sandbox is on this machine: where that is not us, everything is done as that user, and
// nothing that stands there is believed but for what concerns that user alone.
import { existsSync } from 'node:fs';
import { constants, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import { makeFolderAs, type Owner, removeAs, writeFileAs } from '../as-owner.ts';
import type { Limits, Mount, SandboxRef } from '../backend.ts';
import { entriesOf } from '../host-paths.ts';
import type { HostProcess } from './host-process.ts';

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
const LONGEST_BYTES = 1024 * 1024;

export function nameOf(id: string): string {
  return `hermes-${id}`;
}

/** Names become paths; whatever else stands in a ref, only these are ours. */
export function isName(name: string): boolean {
  return /^hermes-[A-Za-z0-9][A-Za-z0-9_-]{0,55}$/.test(name);
}

/** Writes the label first, so that a half-made folder is found, and what `isWhole` looks for last. */
export async function makeFolder(folder: string, label: Label): Promise<void> {
  await makeFolderAs(label, folder);
  await writeFileAs(label, join(folder, LABEL), JSON.stringify(label));
  for (const part of Object.values(PARTS)) await makeFolderAs(label, join(folder, part));
}

export function writeFilter(folder: string, owner: Owner, filter: string): Promise<void> {
  return writeFileAs(owner, filterFile(folder), filter);
}

export function filterFile(folder: string): string {
  return join(folder, FILTER);
}

/** What belongs to the processes of one life goes: pipes and process ids of the last one mean nothing. */
export async function freshen(folder: string, owner: Owner): Promise<void> {
  const channel = join(folder, PARTS.channel);
  const entries = await readdir(channel, { withFileTypes: true });
  const old = entries.filter(entry => !entry.isFile()).map(({ name }) => join(channel, name));
  await removeAs(owner, old);
}

export function writeRunning(folder: string, owner: Owner, running: Running): Promise<void> {
  return writeFileAs(owner, join(folder, RUNNING), JSON.stringify(running));
}

/** Undefined for whatever is not a sandbox of ours, or not any more. Who it is on this machine is not taken from there. */
export async function readLabel(folder: string, { uid, gid }: Owner): Promise<Label | undefined> {
  const label = (await readJson(join(folder, LABEL), { uid, gid })) as Label | undefined; // written by `makeFolder`
  return label?.ref.name === basename(folder) ? { ...label, uid, gid } : undefined;
}

/** Undefined while it was never started. */
export async function readRunning(folder: string, owner: Owner): Promise<Running | undefined> {
  return (await readJson(join(folder, RUNNING), owner)) as Running | undefined; // written by `writeRunning`
}

/** Neither waits at a pipe, nor follows a link, nor takes what is not the owner's or too long. */
async function readJson(path: string, { uid }: Owner): Promise<unknown> {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const about = await file.stat();
    if (!about.isFile() || about.uid !== uid || about.size > LONGEST_BYTES) return undefined;
    return JSON.parse((await file.read(Buffer.alloc(about.size))).buffer.toString());
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code) || error instanceof SyntaxError) return undefined;
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
export async function removeFolder(folder: string, owner: Owner): Promise<void> {
  await removeAs(owner, [join(folder, PARTS.engine)]);
  const entries = existsSync(folder) ? await readdir(folder) : [];
  await removeAs(
    owner,
    entries.filter(name => name !== LABEL).map(name => join(folder, name)),
  );
  await removeAs(owner, [folder]);
}
