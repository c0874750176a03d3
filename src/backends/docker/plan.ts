// Decides what a container is to be: the spec, the settings, the image and the engine, put together.
import { resolve } from 'node:path/posix';
import type { SettingsReader } from '../../base/setting.ts';
import type { Enforcement, Limits, Network, SandboxSpec } from '../backend.ts';
import type { section as terminal } from '../settings.ts';
import type { Info } from './answers.ts';
import type { section as docker } from './settings.ts';
import type { CheckedMount } from './volumes.ts';

export type DockerSettings = SettingsReader<(typeof terminal)['settings'] & (typeof docker)['settings']>;

export const WORKSPACE = '/workspace';
/** On the container's own layer, not in memory; for its user alone. */
export const CHANNEL_FOLDER = '/.hermes';
/** For a user whom the image does not know. */
export const NEW_HOME = '/home/hermes';
const PROCESSES = 256;

/** What a spec leaves open comes from the settings. The engine refuses more processors than it has. */
export function limitsOf(limits: Limits, settings: DockerSettings, info: Info): Required<Limits> {
  const cpus = limits.cpus ?? settings.get('terminal.container_cpu');
  return {
    cpus: info.NCPU > 0 ? Math.min(cpus, info.NCPU) : cpus,
    memoryMiB: limits.memoryMiB ?? settings.get('terminal.container_memory'),
    diskMiB: limits.diskMiB ?? settings.get('terminal.container_disk'),
    processes: limits.processes ?? PROCESSES,
  };
}

/** How far an engine holds the limits. Without a limit on swap, memory can be exceeded into it. */
export function enforcementOf(info: Info, hasQuota: boolean): Enforcement {
  return {
    cpus: info.CpuCfsQuota ? 'enforced' : 'none',
    memory: !info.MemoryLimit ? 'none' : info.SwapLimit ? 'enforced' : 'soft',
    disk: hasQuota ? 'enforced' : 'none',
    processes: info.PidsLimit ? 'enforced' : 'none',
  };
}

/** The stricter of both: a spec cannot open what the settings close. */
export function networkOf(network: Network | undefined, configured: string): string {
  return network === 'none' ? 'none' : configured;
}

/** A relative folder is one in the workspace. */
export function workdirOf(spec: Pick<SandboxSpec, 'cwd'>, settings: DockerSettings): string {
  return resolve(WORKSPACE, spec.cwd ?? settings.get('terminal.cwd') ?? WORKSPACE);
}

/**
 * The user of the settings; else the owner of what is mounted at the workspace, because root without capabilities could
 * not write there, and the files it makes there should belong to the host's user; else the image's own.
 */
export function userOf(
  configured: string | undefined,
  mounts: readonly CheckedMount[],
  ofImage: string,
): string {
  if (configured !== undefined) return configured;
  const owner = mounts.find(({ target, readOnly }) => target === WORKSPACE && !readOnly)?.owner;
  return owner === undefined ? ofImage : `${owner.uid}:${owner.gid}`;
}
