// The arguments of bubblewrap for one sandbox: a pure function of a plan, so that every flag can be seen in a test.
// docs/backends/bubblewrap.md says why each is there.
import type { Mount } from '../backend.ts';
import { TMP_MIB } from './enforcement.ts';
import { basicEnvironment, HOME, USER_ID, WORKSPACE } from './environment.ts';

/** Something of the system that the sandbox sees, read-only; `isEmpty`: an empty folder, for what is below it or instead. */
export type SystemEntry =
  | { readonly path: string; readonly source: string }
  | { readonly path: string; readonly linkTo: string }
  | { readonly path: string; readonly isEmpty: true };

export interface Plan {
  /** The sandbox's own folder, as bubblewrap reaches it. */
  readonly folder: string;
  readonly system: readonly SystemEntry[];
  /** Files and folders of /proc to hide, those that this kernel has. */
  readonly hidden: { readonly files: readonly string[]; readonly folders: readonly string[] };
  /** Checked, and with sources that bubblewrap reaches. */
  readonly mounts: readonly Mount[];
  readonly hostname: string;
  readonly workdir: string;
  /** The kernel's count of memory kills: where it is, and where the shell channel looks for it. */
  readonly oomCount?: { readonly source: string; readonly path: string };
  /** Whether this version of bubblewrap can forbid further user namespaces by itself. */
  readonly disablesUserns: boolean;
  /** Descriptors: flags, the system call filter, where process ids are told, and what is waited for before the command runs. */
  readonly fds: {
    readonly flags: number;
    readonly seccomp: number;
    readonly info: number;
    readonly block?: number;
  };
  /** Present = an open network, made around the sandbox; its own descriptors. Absent = none. */
  readonly network?: { readonly info: number; readonly block: number };
  readonly command: readonly string[];
}

/** In the sandbox. */
export const IO_DIR = '/run/hermes/io';
export const CHANNEL_DIR = '/run/hermes/channel';
const OWN_ETC = '/etc/hermes';

const MEBIBYTE = 1024 * 1024;
/** Space in memory; it counts as the sandbox's memory where that is limited. */
const TMPFS_MIB: Readonly<Record<string, number>> = { '/tmp': TMP_MIB, '/var/tmp': 256, '/run': 64 };

/**
 * What stands on the command line. The sandbox sees it as that of its process 1, so it holds nothing of the host but the sandbox's
 * name, by which it is found; bubblewrap reads its flags from a descriptor. With an open network the first one only makes the network,
 * and the second one the sandbox.
 */
export function bwrapLine({ network, hostname, fds, command }: Plan): string[] {
  return [
    ...(network ? networkArguments(network) : []),
    ...['--hostname', hostname, '--args', String(fds.flags), '--', ...command],
  ];
}

/** Of the bubblewrap that makes the sandbox. */
export function bwrapFlags(plan: Plan): string[] {
  return [
    ...(plan.network ? [] : ['--unshare-net']),
    ...namespaces(plan),
    ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ...['--seccomp', String(plan.fds.seccomp), '--info-fd', String(plan.fds.info)],
    ...(plan.fds.block === undefined ? [] : ['--block-fd', String(plan.fds.block)]),
    ...environment(),
    ...plan.system.flatMap(systemFlags),
    ...plan.system.flatMap(entry => ('isEmpty' in entry ? ['--remount-ro', entry.path] : [])),
    ...kernelFolders(plan),
    ...ownFolders(plan),
    ...plan.mounts.flatMap(({ source, target, readOnly }) => [
      readOnly ? '--ro-bind' : '--bind',
      source,
      target,
    ]),
    ...(isOwn(plan.workdir) ? ['--dir', plan.workdir] : []),
    // The root itself is a file system in memory; nothing may be put there.
    ...['--remount-ro', '/', '--chdir', plan.workdir],
  ];
}

function systemFlags(entry: SystemEntry): string[] {
  if ('source' in entry) return ['--ro-bind', entry.source, entry.path];
  if ('linkTo' in entry) return ['--symlink', entry.linkTo, entry.path];
  return ['--perms', '0755', '--size', String(MEBIBYTE), '--tmpfs', entry.path];
}

/**
 * The network namespace belongs to a user namespace around the sandbox's: whoever hands on the network can enter that
 * one, and nobody in the sandbox has any right in it.
 */
function networkArguments({ info, block }: NonNullable<Plan['network']>): string[] {
  return [
    ...['--unshare-user', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent', '--dev-bind', '/', '/'],
    ...['--info-fd', String(info), '--block-fd', String(block), '--', 'bwrap'],
  ];
}

function namespaces({ disablesUserns }: Plan): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ...(disablesUserns ? ['--disable-userns'] : []),
    ...['--uid', String(USER_ID), '--gid', String(USER_ID)],
  ];
}

/** The starter's own locale is not that of what it starts; so it need not look for the other one. */
function environment(): string[] {
  const variables = Object.entries({ ...basicEnvironment, LC_ALL: 'C' }).flatMap(([name, value]) => [
    '--setenv',
    name,
    value,
  ]);
  return ['--clearenv', ...variables];
}

function kernelFolders({ hidden, oomCount }: Plan): string[] {
  return [
    ...['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'],
    ...hidden.files.flatMap(path => ['--ro-bind', '/dev/null', path]),
    ...hidden.folders.flatMap(path => ['--tmpfs', path, '--remount-ro', path]),
    ...['--dev', '/dev', ...tmpfs('/dev/shm', 64), '--remount-ro', '/dev'],
    ...(oomCount ? ['--ro-bind', oomCount.source, oomCount.path] : []),
  ];
}

function ownFolders({ folder, network }: Plan): string[] {
  const files = ['passwd', 'group', 'hosts', 'nsswitch.conf', ...(network ? ['resolv.conf'] : [])];
  return [
    // A link costs next to nothing, a mount a sixth of a millisecond.
    ...['--ro-bind', `${folder}/etc`, OWN_ETC, ...files.flatMap(link)],
    ...Object.entries(TMPFS_MIB).flatMap(([path, size]) => tmpfs(path, size)),
    // Each by itself: what the sandbox could rename would be another folder when the gateway looks.
    ...['--bind', `${folder}/io`, IO_DIR, '--bind', `${folder}/channel`, CHANNEL_DIR],
    ...['--bind', `${folder}/home`, HOME, '--bind', `${folder}/workspace`, WORKSPACE],
  ];
}

function link(name: string): string[] {
  return ['--symlink', `${OWN_ETC}/${name}`, `/etc/${name}`];
}

function tmpfs(path: string, mebibytes: number): string[] {
  return ['--perms', '1777', '--size', String(mebibytes * MEBIBYTE), '--tmpfs', path];
}

function isOwn(path: string): boolean {
  return [WORKSPACE, HOME].some(folder => path.startsWith(`${folder}/`));
}
