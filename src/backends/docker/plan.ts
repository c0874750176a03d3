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
export function enforcementOf(info: Info, hasQuota: boolean, tmpMiB?: number): Enforcement {
  return {
    cpus: info.CpuCfsQuota ? 'enforced' : 'none',
    memory: !info.MemoryLimit ? 'none' : info.SwapLimit ? 'enforced' : 'soft',
    disk: hasQuota ? 'enforced' : 'none',
    processes: info.PidsLimit ? 'enforced' : 'none',
    ...(tmpMiB === undefined ? {} : { tmpMiB }),
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

export interface UserChoice {
  /** As the engine takes it; empty = the image's own. */
  readonly user: string;
  /** The mount whose owner was taken. */
  readonly ownerOf?: CheckedMount;
}

export interface UserGiven {
  readonly configured: string | undefined;
  readonly mounts: readonly CheckedMount[];
  readonly ofImage: string;
  /** Who we are on a rootless engine, whose containers show us as root; undefined on any other. */
  readonly rootless: number | undefined;
}

/**
 * The user of the settings; else the owner of what is mounted for writing, because root without capabilities could not
 * write there, and the files it makes there should belong to the host's user; else the image's own. The workspace goes before
 * the other mounts, and those count only when they have one owner.
 */
export function userOf({ configured, mounts, ofImage, rootless }: UserGiven): UserChoice {
  if (configured !== undefined) return { user: configured };
  const owned = mounts.filter(({ readOnly, owner }) => !readOnly && owner !== undefined);
  const workspace = owned.find(({ target }) => target === WORKSPACE);
  const [ownerOf] = workspace ? [workspace] : owned;
  const { owner } = ownerOf ?? {};
  if (ownerOf === undefined || owner === undefined) return { user: ofImage };
  const areOneOwners = owned.every(each => each.owner?.uid === owner.uid);
  if (!workspace && !areOneOwners) return { user: ofImage };
  return { user: owner.uid === rootless ? '0:0' : `${owner.uid}:${owner.gid}`, ownerOf };
}

/** Whether containers of this engine show its own user as root. */
export function isRootless(info: Info): boolean {
  return info.SecurityOptions?.some(option => option.startsWith('name=rootless')) ?? false;
}
