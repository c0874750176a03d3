// Turns what is wanted of an instance into arguments of Apptainer. Pure; docs/backends/singularity.md has the reasons.
import { join } from 'node:path';
import type { Limits } from '../backend.ts';
import { filterFile, type Label, PARTS } from './folder.ts';
import { type LimitName, limitFlags } from './limits.ts';

export const HOME = '/home/hermes';
export const WORKSPACE = '/workspace';
export const CHANNEL = '/run/hermes';

export interface StartOptions {
  readonly folder: string;
  readonly label: Label;
  /** The limits that are tried. */
  readonly tried: readonly LimitName[];
  /** Whether there is a system call filter for this processor. */
  readonly isFiltered: boolean;
}

/** `instance start …`, without the program. */
export function startArguments({ folder, label, tried, isFiltered }: StartOptions): string[] {
  const part = (name: keyof typeof PARTS): string => join(folder, PARTS[name]);
  const { ref, mounts, persistent } = label;
  const hasWorkspace = mounts.some(({ target }) => target === WORKSPACE);
  return [
    ...['instance', 'start', '--containall', '--no-home', '--cleanenv', '--no-privs'],
    // Neither the host's devices and control groups, nor what the host's administrator binds into every container.
    ...['--no-mount', 'sys,bind-paths', '--hostname', ref.name],
    ...networkFlags(label.network),
    ...(isFiltered ? ['--security', `seccomp:${filterFile(folder)}`] : []),
    ...limitFlags(label.limits as Limits, tried),
    ...(persistent ? ['--overlay', part('overlay')] : ['--writable-tmpfs']),
    // Its own /dev has no other device that programs expect.
    ...['--workdir', part('temporary'), '--bind', '/dev/full:/dev/full'],
    // Sets the variable and the entry of its user; the folder itself has to be bound all the same.
    ...['--home', `${part('home')}:${HOME}`, '--bind', `${part('home')}:${HOME}`],
    ...['--bind', `${part('channel')}:${CHANNEL}`],
    ...(hasWorkspace ? [] : ['--bind', `${part('workspace')}:${WORKSPACE}`]),
    ...mounts.flatMap(({ source, target, readOnly }) => [
      '--bind',
      `${source}:${target}:${readOnly ? 'ro' : 'rw'}`,
    ]),
    ...[label.image, ref.name],
  ];
}

function networkFlags(network: string): string[] {
  return network === 'host' ? [] : ['--net', '--network', network];
}

export interface ExecOptions {
  readonly name: string;
  readonly workdir: string;
  /** The text of enter.sh, which starts what is wanted. */
  readonly script: string;
  readonly nonce: string;
  /** Most processes; undefined = not limited by this. */
  readonly processes: number | undefined;
}

/** `exec instance://… COMMAND`, without the program. */
export function execArguments(options: ExecOptions, argv: readonly string[]): string[] {
  const { name, workdir, script, nonce, processes } = options;
  return [
    ...['exec', '--cleanenv', '--pwd', '/', `instance://${name}`],
    ...['sh', '-c', script, 'hermes-enter', nonce, workdir, HOME, String(processes ?? '-'), ...argv],
  ];
}
