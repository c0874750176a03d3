// What the driver finds out about this machine once, before its first sandbox: the program, the system's folders, the
// places for control groups. Throws UNAVAILABLE_BACKEND for what no sandbox can do without.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { inContainer } from '../../base/in-container.ts';
import type { SystemEntry } from './arguments.ts';
import { isOlder } from './bwrap-program.ts';
import { type CgroupPlaces, findCgroupPlaces } from './cgroups.ts';
import { isKnownArchitecture, seccompFilter } from './seccomp.ts';
import { hiddenInProc, hostSystem, rootSystem } from './system.ts';

export interface Machine {
  readonly asRoot: boolean;
  /** Where programs are looked for. */
  readonly path: string;
  readonly isSetuid: boolean;
  /** Taken for granted until a launch fails (see driver.ts). */
  readonly disablesUserns: boolean;
  /** An unpacked root folder; undefined = the host's own system. */
  readonly root: string | undefined;
  /** What sandboxes see of it; asked for each, because the host's folders change. */
  readonly system: () => readonly SystemEntry[];
  readonly hidden: { readonly files: readonly string[]; readonly folders: readonly string[] };
  readonly cgroups: CgroupPlaces;
  /** The system call filter; the second for sandboxes that can write a folder of the host. */
  readonly seccomp: { readonly usual: Uint8Array; readonly withoutSetId: Uint8Array };
  /** Whether there is a program to count files with. */
  readonly measuresDisk: boolean;
  /** Whether the kernel counts processes apart for each user namespace. */
  readonly countsProcessesApart: boolean;
}

/** What brings it on Debian and its kin. */
const PACKAGE = 'bubblewrap';
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function inspectMachine(ownPath: string | undefined, rootSetting: string | undefined): Machine {
  const { platform, arch } = process;
  if (platform !== 'linux') throw unavailable('bubblewrap runs on Linux only', 'Choose another backend');
  if (!isKnownArchitecture(arch))
    throw unavailable(`there is no system call filter for ${arch}`, 'Choose another backend');
  // Without links: what is mounted later must be what was looked at.
  const root = rootSetting !== undefined && existsSync(rootSetting) ? realpathSync(rootSetting) : rootSetting;
  const path = ownPath === undefined ? DEFAULT_PATH : `${ownPath}:${DEFAULT_PATH}`;
  const bwrap = findProgram('bwrap', path);
  if (bwrap === undefined) throw notInstalled();
  const ofRoot = root === undefined ? [] : rootSystem(root);
  return {
    asRoot: process.getuid?.() === 0,
    ...{ path, root, disablesUserns: true },
    isSetuid: (statSync(bwrap).mode & 0o4000) !== 0,
    system: root === undefined ? hostSystem : () => ofRoot,
    hidden: hiddenInProc(),
    cgroups: findCgroupPlaces(),
    seccomp: {
      usual: seccompFilter(arch, { refusesSetId: false }),
      withoutSetId: seccompFilter(arch, { refusesSetId: true }),
    },
    measuresDisk: findProgram('du', path) !== undefined,
    countsProcessesApart: !isOlder(release().replace(/-.*/, ''), '5.14'),
  };
}

/** Few containers may make namespaces, so there it is not the first thing to try. */
function notInstalled(): HermesError {
  const install = `on Debian and Ubuntu with: apt-get install ${PACKAGE}`;
  const fix = inContainer()
    ? `Use another backend, or run Hermes on the machine itself: this is a container, and most forbid namespaces. Where this one does not, install it, ${install}`
    : `Install it, ${install}`;
  return unavailable('bwrap is not installed', fix, { package: PACKAGE });
}

export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(':')
    .map(folder => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    const about = statSync(file, { throwIfNoEntry: false });
    return about?.isFile() === true && (about.mode & 0o111) !== 0;
  } catch (error) {
    if (systemErrorCode(error) !== 'EACCES') throw error;
    return false;
  }
}

export function unavailable(
  reason: string,
  fix: string,
  { cause, ...more }: { readonly cause?: unknown; readonly package?: string } = {},
): HermesError {
  const message = `The bubblewrap backend cannot be used: ${sentence(reason)} ${sentence(fix)}`;
  return new HermesError('UNAVAILABLE_BACKEND', message, { details: { reason, fix, ...more }, cause });
}

/** What others say may end with a full stop or not. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
