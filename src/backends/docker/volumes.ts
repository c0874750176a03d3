// What may be mounted from the host: `parseVolume` reads what users write, `checkMount` judges what it leads to.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { Mount } from '../backend.ts';
import { identityOf, linkFreeStat } from '../link-free.ts';

export interface HostPlaces {
  readonly userHome: string | undefined;
  /** The folder of the installation. */
  readonly hermesHome: string;
  /** Of the engine itself; undefined when it is reached over a network. */
  readonly engineSocket: string | undefined;
}

export interface CheckedMount extends Mount {
  /** Why it hands over the host; absent when it does not. */
  readonly danger?: string;
  /** Who owns the source here; absent when it is not here but on the engine's host. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Which file it is here, by device and number; the same for all who see it on this machine. */
  readonly identity?: string;
}

/** Trees in which everything belongs to the system. */
const SYSTEM = [
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/boot',
  '/run',
  '/var/run',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/spool/cron',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
];
/** Below a person's home: what opens other doors. */
const SECRETS = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.azure',
  '.config/gcloud',
  '.hermes',
  '.netrc',
  '.password-store',
];

/** `/host/path:/container/path[:ro|rw]`; `~/` is the user's home. Throws CONFIG_INVALID. */
export function parseVolume(text: string, userHome: string | undefined): Mount {
  const [from = '', target = '', mode = 'rw', ...more] = text.split(':');
  const source = from.startsWith('~/') && userHome ? join(userHome, from.slice(2)) : from;
  if (more.length > 0 || !['ro', 'rw'].includes(mode) || !isAbsolute(source) || !isAbsolute(target)) {
    throw new HermesError(
      'CONFIG_INVALID',
      `terminal.docker_volumes: ${text} is not accepted. It is written as /host/path:/container/path, with :ro behind it to forbid writing, and both paths are absolute. Nothing was made.`,
      { details: { volume: text } },
    );
  }
  return { source, target: plain(target), readOnly: mode === 'ro' };
}

/**
 * Follows symbolic links, so that a harmless name cannot stand for a dangerous place. `mayBeElsewhere`: the engine sees another file
 * system than we do, so a source that is missing here may well be there; the engine itself refuses what it does not have.
 */
export async function checkMount(
  mount: Mount,
  places: HostPlaces,
  { mayBeElsewhere }: { mayBeElsewhere: boolean },
): Promise<CheckedMount> {
  if (!isAbsolute(mount.source) || !isAbsolute(mount.target) || normalize(mount.target) === '/') {
    throw refused(mount, 'both paths must be absolute, and the container’s root cannot be mounted over');
  }
  try {
    const source = await realpath(mount.source);
    const found = linkFreeStat(source);
    const danger = found.isSocket() ? 'it is a socket' : dangerOf(source, places);
    return {
      ...mount,
      target: plain(mount.target),
      source,
      owner: { uid: found.uid, gid: found.gid },
      identity: identityOf(found),
      ...(danger === undefined ? {} : { danger }),
    };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    if (!mayBeElsewhere || systemErrorCode(error) !== 'ENOENT') {
      throw refused(mount, `its source cannot be reached: ${systemReason(error)}`, error);
    }
    const danger = dangerOf(normalize(mount.source), places);
    return { ...mount, target: plain(mount.target), ...(danger === undefined ? {} : { danger }) };
  }
}

/** Why a path of the host should not be mounted; undefined when nothing speaks against it. Links are resolved before. */
export function dangerOf(source: string, places: HostPlaces): string | undefined {
  const path = plain(source);
  const inside = SYSTEM.find(tree => isWithin(path, tree));
  if (inside !== undefined) return `it is in ${inside}, which belongs to the system`;
  // Whoever is at home on this machine.
  const [person] = /^\/home\/[^/]+/.exec(path) ?? [];
  const homes = [...new Set(['/root', places.userHome, person].filter(home => home !== undefined))];
  const secrets = [
    ...homes.flatMap(home => SECRETS.map(name => join(home, name))),
    places.hermesHome,
    ...(places.engineSocket === undefined ? [] : [places.engineSocket]),
  ];
  const secret = secrets.find(each => isWithin(path, each));
  if (secret !== undefined) return `${secret} holds credentials`;
  // A parent hands over what is below it.
  const below = [...SYSTEM, '/home', ...secrets].find(each => isWithin(each, path));
  return below === undefined ? undefined : `${below} is in it`;
}

/** Without double and trailing slashes. */
function plain(path: string): string {
  return normalize(path).replace(/(?<=.)\/+$/, '');
}

function isWithin(path: string, tree: string): boolean {
  return path === tree || path.startsWith(tree === '/' ? '/' : `${tree}/`);
}

/** The error for a mount that is not made. */
export function refused(mount: Mount, why: string, cause?: unknown): HermesError {
  return new HermesError(
    'SANDBOX_NOT_CREATED',
    `${mount.source} cannot be mounted at ${mount.target}: ${why}. Nothing was made.`,
    { details: { mount }, cause },
  );
}
