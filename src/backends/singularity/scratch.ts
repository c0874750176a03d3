// Where the files of sandboxes are: a folder with room, and who they belong to on this machine.
import { accessSync, constants, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { DriverContext, Problem } from '../backend.ts';
import { unavailable } from './faults.ts';

export interface Scratch {
  /** Holds a folder for each sandbox, and one for converted images. */
  readonly top: string;
  /** Who sandboxes are on this machine. */
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'hermes-singularity';
const OWN_NAME = 'singularity';
const LITTLE_BYTES = 2 * 1024 ** 3;
export const ORDINARY_USER =
  'Start Hermes as an ordinary user, or set terminal.scratch_dir to a folder that belongs to the one who is to run Apptainer';

/** Throws UNAVAILABLE_BACKEND when no folder can be used. */
export function findScratch(
  setting: string | undefined,
  { environment, home }: Pick<DriverContext, 'environment' | 'home'>,
): Scratch {
  const place = setting ?? usualScratch(environment['USER']);
  const folder = place ?? home;
  const about = aboutFolder(folder, setting !== undefined);
  const top = place === undefined ? join(home, OWN_NAME) : join(place, NAME);
  if (/[,:"\n]/.test(top))
    throw unavailable(
      `the path ${top} has a character in it that Apptainer takes for a separator`,
      'Set terminal.scratch_dir to a folder without comma, colon and quotation mark',
    );
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { top, uid, gid };
  // An instance of root’s would be root on this machine.
  if (about.uid === 0) throw unavailable(`Hermes runs as root, and ${folder} is root’s`, ORDINARY_USER);
  return { top, uid: about.uid, gid: about.gid };
}

/** Clusters have it; elsewhere it is missing. */
function usualScratch(user: string | undefined): string | undefined {
  if (user === undefined || !/^[\w.-]+$/.test(user)) return undefined;
  const folder = `/scratch/${user}`;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EROFS'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function aboutFolder(folder: string, isWritten: boolean): { uid: number; gid: number } {
  try {
    const about = statSync(folder);
    if (about.isDirectory()) return about;
  } catch (error) {
    // Only ours is made by us, when it is needed.
    const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    if (!isWritten && systemErrorCode(error) === 'ENOENT') return own;
    throw unavailable(
      `the scratch folder ${folder} cannot be used: ${systemReason(error)}`,
      'Make it, or set terminal.scratch_dir to another',
      error,
    );
  }
  throw unavailable(`the scratch folder ${folder} is no folder`, 'Set terminal.scratch_dir to one');
}

/** A warning when sandboxes and images will soon have no room. */
export async function roomProblem({ top }: Scratch): Promise<Problem | undefined> {
  const { bavail, bsize } = await statfs(top);
  const free = bavail * bsize;
  if (free >= LITTLE_BYTES) return undefined;
  return {
    message: `Only ${Math.floor(free / 1024 ** 2)} MiB are free where sandboxes are kept, in ${top}.`,
    fix: 'Make room there, or set terminal.scratch_dir to a folder on another disk.',
    severity: 'warning',
  };
}
