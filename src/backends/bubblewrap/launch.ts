// The command that brings up a sandbox's namespaces. Usually it is bubblewrap itself, started as the sandbox's user. Where
// something has to happen as root before, a small script does it and then becomes bubblewrap.
import { readFileSync } from 'node:fs';
import type { SystemEntry } from './arguments.ts';
import { placeOf } from './folder.ts';
import type { CheckedMount } from './mounts.ts';

export interface Launch {
  /** Of the sandbox, on the host. */
  readonly folder: string;
  readonly uid: number;
  readonly gid: number;
  readonly asRoot: boolean;
  readonly mounts: readonly CheckedMount[];
  /** An unpacked root folder, if it is not the host's own. */
  readonly root: string | undefined;
  /** Which file each source is, by its path: what is mounted must turn out to be the same. */
  readonly identities: ReadonlyMap<string, string>;
  /** Files through which the control groups are joined. */
  readonly join: readonly string[];
  /** Whether bwrap has the setuid bit, which must have no effect. */
  readonly isSetuid: boolean;
}

export interface Command {
  readonly argv: readonly [string, ...string[]];
  /** What bubblewrap reads from its descriptor. */
  readonly flags: readonly string[];
  /** Who starts it; absent = who the gateway is. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Files to which the first process inside is written before it goes on. */
  readonly join: readonly string[];
}

/** As root, mounts may stand below folders that the sandbox's user cannot enter; then they are put elsewhere. */
function isMoved({ asRoot, mounts, root }: Launch): boolean {
  return asRoot && (mounts.length > 0 || root !== undefined);
}

/** The mounts as bubblewrap reaches them. */
export function reachableMounts(launch: Launch): readonly CheckedMount[] {
  if (!isMoved(launch)) return launch.mounts;
  return launch.mounts.map((mount, at) => ({ ...mount, source: placeOf(launch.folder, at) }));
}

/** The entries of an unpacked root as bubblewrap reaches them. */
export function reachableSystem(launch: Launch, system: readonly SystemEntry[]): readonly SystemEntry[] {
  const { root, folder } = launch;
  if (root === undefined || !isMoved(launch)) return system;
  return system.map(entry =>
    'source' in entry
      ? { ...entry, source: placeOf(folder, 'root') + entry.source.slice(root.length) }
      : entry,
  );
}

/** Bubblewrap's words on the command line, and those that it reads from a descriptor. */
export interface BwrapWords {
  readonly line: readonly string[];
  readonly flags: readonly string[];
}

/** `bwrap` makes the arguments; it is told whether bubblewrap has to wait until its first process has joined. */
export function launchCommand(launch: Launch, bwrap: (joins: boolean) => BwrapWords): Command {
  const { asRoot, uid, gid, join, isSetuid } = launch;
  const needsScript = isMoved(launch) || isSetuid;
  if (!needsScript) {
    const { line, flags } = bwrap(join.length > 0);
    return { argv: ['bwrap', ...line], flags, join, ...(asRoot ? { user: { uid, gid } } : {}) };
  }
  const { line, flags } = bwrap(false);
  const user = asRoot ? ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'] : [];
  const binds = isMoved(launch) ? bindsOf(launch) : [];
  const script = readFileSync(new URL('./launch.sh', import.meta.url), 'utf8');
  const argv = [
    ...[
      'sh',
      '-c',
      script,
      'hermes-launch',
      String(join.length),
      ...join,
      String(binds.length / 3),
      ...binds,
    ],
    ...['setpriv', ...user, '--no-new-privs', '--pdeathsig', 'KILL', '--', 'bwrap', ...line],
  ] as const;
  return { argv: binds.length > 0 ? ['unshare', '--mount', '--', ...argv] : argv, flags, join: [] };
}

/** In threes: a source, where it is put, and which file it has to be. */
function bindsOf({ folder, root, mounts, identities }: Launch): string[] {
  const bind = (source: string, at: number | 'root'): string[] => [
    ...[source, placeOf(folder, at), identities.get(source) ?? 'unknown'],
  ];
  return [
    ...(root === undefined ? [] : bind(root, 'root')),
    ...mounts.flatMap(({ source }, at) => bind(source, at)),
  ];
}
