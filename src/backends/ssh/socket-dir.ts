// The private folder for the sockets of our connections. A socket's path ends at 104 bytes, so the folder's is short;
// what a gateway that was killed has left of this kind is removed by the next one.
import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { DriverContext } from '../backend.ts';

const PREFIX = 'hermes-ssh-';
const LONGEST_SOCKET = 104;
/** Name of the socket, and what ssh appends while it makes it. */
const NAME_BYTES = '/m999'.length + 17;

/** Makes the folder, 0700, in the first place that is short enough and can be written to. */
export async function makeSocketDir(context: DriverContext): Promise<string> {
  const name = `${PREFIX}${installationHash(context.home)}-${process.pid}-`;
  let failure: unknown;
  for (const parent of parentsOf(context)) {
    const prefix = join(parent, name);
    if (Buffer.byteLength(prefix) + 6 + NAME_BYTES > LONGEST_SOCKET) continue;
    try {
      return await mkdtemp(prefix);
    } catch (error) {
      failure = error;
    }
  }
  const reason = failure === undefined ? 'all paths are too long' : systemReason(failure);
  const message = `No folder can be made for ssh sockets: ${reason}. Set TMPDIR to a short path that can be written to.`;
  throw new HermesError('UNAVAILABLE_BACKEND', message, { cause: failure });
}

/** Folders of this installation whose gateway does not run any more. */
export async function staleSocketDirs(context: DriverContext): Promise<string[]> {
  const pattern = new RegExp(`^${PREFIX}${installationHash(context.home)}-(\\d+)-`);
  const found: string[] = [];
  for (const parent of parentsOf(context)) {
    for (const name of await namesIn(parent)) {
      const pid = Number(pattern.exec(name)?.[1] ?? 0);
      const path = join(parent, name);
      if (pid > 0 && !isRunning(pid) && (await isOwn(path))) found.push(path);
    }
  }
  return found;
}

export async function removeSocketDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

function parentsOf({ environment, tmpDir }: DriverContext): string[] {
  const runtime = environment['XDG_RUNTIME_DIR'];
  return [...new Set([...(runtime ? [runtime] : []), tmpDir, '/tmp'])];
}

/** The machine counts as well: containers may share a folder, but not process ids. */
function installationHash(home: string): string {
  return createHash('sha256').update(`${hostname()}\0${home}`).digest('hex').slice(0, 6);
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'EACCES') return [];
    throw error;
  }
}

/** Anybody may make folders in a shared /tmp. */
async function isOwn(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isDirectory() && found.uid === process.getuid?.();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
