// Judges the mounts of a spec before anything is made: a sandbox must not be handed the host, nor be able to move a
// mount elsewhere by planting a link.
import type { Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { Mount } from '../backend.ts';
import { isInside, isWithin, resolved } from '../host-paths.ts';
import { identityOf, linkFreeStat } from '../link-free.ts';
import { WORKSPACE } from './environment.ts';

/** Whoever can write, or in some cases read, these has the machine. */
const MACHINE = [
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/boot',
  '/run',
  '/var/run',
  '/var/lib',
  '/usr',
  '/bin',
  '/sbin',
];
const MACHINE_LIBRARIES = ['/lib', '/lib64', '/root'];
const PERSONAL = ['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.config', '.netrc', '.hermes'];
/** Places in the sandbox that are its own or the system's. */
const TAKEN = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/tmp',
];
const TAKEN_FOLDERS = ['/var', '/home'];

export interface CheckedMount extends Mount {
  /** Of the source on the host. */
  readonly uid: number;
  readonly gid: number;
  readonly isFolder: boolean;
}

export interface MountRules {
  /** The installation's own folder. */
  readonly hermesHome: string;
  /** The home of who runs Hermes; undefined where it is unknown. */
  readonly userHome: string | undefined;
}

/** The mounts with their sources resolved. Throws SANDBOX_NOT_CREATED. */
export async function checkMounts(mounts: readonly Mount[], rules: MountRules): Promise<CheckedMount[]> {
  const checked: CheckedMount[] = [];
  for (const mount of mounts) checked.push(await checkMount(mount, rules));
  for (const [at, mount] of checked.entries()) {
    for (const other of checked.toSpliced(at, 1)) {
      if (other.target === mount.target) throw refused(mount, 'another mount has the same place');
      if (other.readOnly) continue;
      if (isInside(mount.source, other.source) || isInside(mount.target, other.target))
        throw refused(mount, `it is inside ${other.source}, which the sandbox can write`);
    }
  }
  return checked;
}

async function checkMount(mount: Mount, { hermesHome, userHome }: MountRules): Promise<CheckedMount> {
  if (!mount.source.startsWith('/')) throw refused(mount, 'the source is not an absolute path');
  const target = normalize(mount.target).replace(/(.)\/$/, '$1');
  if (!target.startsWith('/') || target === '/')
    throw refused(mount, 'the place is not an absolute path below /');
  if (target !== WORKSPACE && [...TAKEN, ...TAKEN_FOLDERS, WORKSPACE].some(place => isWithin(target, place)))
    throw refused(
      mount,
      `${target} belongs to the sandbox itself. Use ${WORKSPACE} or a folder such as /data`,
    );
  const source = await resolveSource(mount);
  const personal = userHome === undefined ? [] : PERSONAL.map(name => join(userHome, name));
  const dangerous = [...MACHINE, ...personal, hermesHome, ...(await resolved([hermesHome]))];
  for (const place of dangerous) {
    if (isWithin(source, place) || isInside(place, source))
      throw refused(mount, `it would hand ${place} to the sandbox`);
  }
  // Work is often done below these; only the whole of them is too much.
  if (MACHINE_LIBRARIES.includes(source)) throw refused(mount, `it would hand ${source} to the sandbox`);
  const about = seen(mount, source);
  if (!about.isDirectory() && !about.isFile()) throw refused(mount, 'it is neither a folder nor a file');
  const { uid, gid } = about;
  return { source, target, readOnly: mount.readOnly, uid, gid, isFolder: about.isDirectory() };
}

/** Which files the sources of a sandbox are now, by their paths. Throws SANDBOX_NOT_CREATED for one that a link leads to by now. */
export function sourceIdentities(
  mounts: readonly CheckedMount[],
  root: string | undefined,
): ReadonlyMap<string, string> {
  const own = root === undefined ? [] : [{ source: root, target: '/', readOnly: true }];
  return new Map([...own, ...mounts].map(each => [each.source, identityOf(seen(each, each.source))]));
}

function seen(mount: Mount, source: string): Stats {
  try {
    return linkFreeStat(source);
  } catch (error) {
    const isLink = systemErrorCode(error) === 'ELOOP';
    throw refused(mount, isLink ? 'a link has taken its place meanwhile' : systemReason(error), error);
  }
}

async function resolveSource(mount: Mount): Promise<string> {
  try {
    return await realpath(mount.source);
  } catch (error) {
    throw refused(mount, systemReason(error), error);
  }
}

function refused(mount: Mount, reason: string, cause?: unknown): HermesError {
  const message = `${mount.source} cannot be mounted at ${mount.target}: ${reason}. Mount another folder.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { mount, reason }, cause });
}
