// What of the host's system, or of an unpacked root folder, a sandbox gets to see: a short list, always read-only.
import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { HermesError } from '../../base/errors.ts';
import type { SystemEntry } from './arguments.ts';
import { programFolders } from './program-folders.ts';

/** Programs and libraries. Where the host has links for them, the sandbox has the same links. */
const PROGRAMS = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/**
 * Configuration that programs need to work and that tells nothing about this machine or its people. Each entry costs a
 * mount, and with it a sixth of a millisecond.
 */
const ETC = [
  'alternatives',
  'crypto-policies',
  'fonts',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'os-release',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
];

/** What every sandbox has of its own, whatever its root folder holds. */
const OWN = new Set(['proc', 'sys', 'dev', 'tmp', 'run', 'var', 'home', 'root', 'workspace', 'etc']);
/** Files of an unpacked root's /etc that would hide ours. */
const OWN_ETC = new Set(['passwd', 'group', 'hosts', 'hostname', 'resolv.conf', 'nsswitch.conf', 'mtab']);

// Looking at some dozens of names takes less time than one hand-over to another thread.

export function hostSystem(): SystemEntry[] {
  const paths = [...PROGRAMS, ...ETC.map(name => `etc/${name}`)];
  return [...paths.flatMap(path => entryOf('/', path)), ...programFolders()];
}

/** Throws UNAVAILABLE_BACKEND when there is no such folder. */
export function rootSystem(root: string): SystemEntry[] {
  const top = names(root).filter(name => !OWN.has(name));
  const etc = names(join(root, 'etc')).filter(name => !OWN_ETC.has(name));
  return [...top, ...etc.map(name => `etc/${name}`)].flatMap(path => entryOf(root, path));
}

/** Empty for what is not there. */
function entryOf(root: string, path: string): SystemEntry[] {
  const source = join(root, path);
  const about = lstatSync(source, { throwIfNoEntry: false });
  if (about?.isSymbolicLink()) {
    const linkTo = readlinkSync(source);
    // A link of an unpacked root means a place in that root, never one of the host. One of the host into /usr leads to
    // the same file inside, and costs nothing.
    const isSame = PROGRAMS.includes(path) || resolve('/', dirname(path), linkTo).startsWith('/usr/');
    if (root !== '/' || isSame) return [{ path: `/${path}`, linkTo }];
  }
  return about && statSync(source, { throwIfNoEntry: false }) ? [{ path: `/${path}`, source }] : [];
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const message = `${folder} of terminal.bubblewrap_root cannot be read. Unpack a root file system there, or unset the setting.`;
    throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { folder }, cause: error });
  }
}

/** A link counts: where it leads is only known inside. */
export function hasBash(root = '/'): boolean {
  const places = ['usr/local/bin/bash', 'usr/bin/bash', 'bin/bash'];
  return places.some(place => lstatSync(join(root, place), { throwIfNoEntry: false }) !== undefined);
}

const HIDDEN_FILES = ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/sysrq-trigger', '/proc/kmsg'];
const HIDDEN_FOLDERS = ['/proc/acpi', '/proc/scsi', '/proc/bus', '/proc/irq', '/proc/fs'];

/** The files and folders of /proc to hide, as far as this kernel has them. */
export function hiddenInProc(): { files: string[]; folders: string[] } {
  const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  return { files: HIDDEN_FILES.filter(isThere), folders: HIDDEN_FOLDERS.filter(isThere) };
}
