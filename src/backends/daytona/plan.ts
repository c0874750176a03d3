// Decides what a sandbox is to be: the spec and the settings, as the body of the call that makes it.

import { resolve } from 'node:path/posix';
import type { CreateSandbox } from '@daytona/api-client';
import type { SettingsReader } from '../../base/setting.ts';
import type { Enforcement, Limits, SandboxRef, SandboxSpec } from '../backend.ts';
import type { section as terminal } from '../settings.ts';
import type { section as daytona } from './settings.ts';

export interface DaytonaSettings
  extends SettingsReader<(typeof terminal)['settings'] & (typeof daytona)['settings']> {
  /** `default` = nobody has written it. */
  origin(key: 'terminal.container_disk'): { readonly from: string };
}

export const LABEL = {
  installation: 'hermes-installation',
  session: 'hermes-session',
  sandbox: 'hermes-sandbox',
  workdir: 'hermes-workdir',
} as const;

const WORKSPACE = '/workspace';
const SNAPSHOT = 'snapshot:';
/** More is refused to most organisations. */
const MOST_DISK_GIB = 10;
/** The service sells sizes; what is not to be limited gets the usual one. */
const UNLIMITED_CORES = 1;
const UNLIMITED_GIB = 5;
const MIB = 1024;
const HOUR_SECONDS = 3600;
/** The gateway itself suspends what is idle; this is for when there is none any more. */
const MARGIN_MINUTES = 10;
/** What nobody has woken for so long goes to cheaper storage, and at last altogether. */
const ARCHIVE_MINUTES = 3 * 24 * 60;
const DELETE_MINUTES = 30 * 24 * 60;

export interface Plan {
  readonly body: CreateSandbox;
  readonly enforcement: Enforcement;
  readonly workdir: string;
  /** For the operator, when less was made than he asked for. */
  readonly note?: string;
}

export function refOf({ id, installation, session }: SandboxSpec): SandboxRef {
  const whose = session === undefined ? {} : { session };
  return { backend: 'daytona', id, name: nameOf(id), installation, ...whose };
}

function nameOf(id: string): string {
  return `hermes-${id}`;
}

/** Undefined for what does not carry our labels. */
export function refOfLabels(name: string, labels: Readonly<Record<string, string>>): SandboxRef | undefined {
  const { [LABEL.installation]: installation, [LABEL.sandbox]: id, [LABEL.session]: session } = labels;
  if (installation === undefined || id === undefined) return undefined;
  return { backend: 'daytona', id, name, installation, ...(session === undefined ? {} : { session }) };
}

export function planOf(spec: SandboxSpec, settings: DaytonaSettings): Plan {
  const image = spec.image ?? settings.get('terminal.daytona_image');
  const isSnapshot = image.startsWith(SNAPSHOT);
  const limits = limitsOf(spec.limits, settings);
  const sizes = sizesOf(limits);
  const workdir = resolve(WORKSPACE, spec.cwd ?? settings.get('terminal.cwd') ?? WORKSPACE);
  const target = settings.get('terminal.daytona_target');
  const note = isSnapshot ? undefined : diskNote(limits.diskMiB, settings);
  return {
    body: {
      name: nameOf(spec.id),
      labels: labelsOf(spec, workdir),
      public: false,
      ...(isSnapshot
        ? { snapshot: image.slice(SNAPSHOT.length) }
        : { buildInfo: { dockerfileContent: `FROM ${image}\n` }, ...sizes }),
      ...(target === undefined ? {} : { target }),
      ...networkOf(spec, settings),
      autoStopInterval: stopMinutes(spec.idleSeconds),
      ...(spec.persistent
        ? { autoArchiveInterval: ARCHIVE_MINUTES, autoDeleteInterval: DELETE_MINUTES }
        : { autoDeleteInterval: 0 }),
    },
    enforcement: isSnapshot ? ofSnapshot : enforcementOf(limits, sizes),
    workdir,
    ...(note === undefined ? {} : { note }),
  };
}

/** Told only to an operator who has asked for that much himself. */
export function diskNote(diskMiB: number, settings: DaytonaSettings): string | undefined {
  if (diskMiB <= MOST_DISK_GIB * MIB || settings.origin('terminal.container_disk').from === 'default')
    return undefined;
  return `Daytona gives a sandbox ${MOST_DISK_GIB} GiB of disk at most; terminal.container_disk asks for ${Math.ceil(diskMiB / MIB)}.`;
}

/** Never 0, which would mean: never. */
function stopMinutes(idleSeconds = HOUR_SECONDS): number {
  return Math.max(1, Math.ceil(idleSeconds / 60)) + MARGIN_MINUTES;
}

type WholeLimits = Required<Omit<Limits, 'processes'>>;

function limitsOf(limits: Limits, settings: DaytonaSettings): WholeLimits {
  return {
    cpus: limits.cpus ?? settings.get('terminal.container_cpu'),
    memoryMiB: limits.memoryMiB ?? settings.get('terminal.container_memory'),
    diskMiB: limits.diskMiB ?? settings.get('terminal.container_disk'),
  };
}

interface Sizes {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** Whole cores and GiB are all that the API takes. */
function sizesOf({ cpus, memoryMiB, diskMiB }: WholeLimits): Sizes {
  return {
    cpu: cpus === 0 ? UNLIMITED_CORES : Math.max(1, Math.ceil(cpus)),
    memory: memoryMiB === 0 ? UNLIMITED_GIB : Math.max(1, Math.ceil(memoryMiB / MIB)),
    disk: diskMiB === 0 ? MOST_DISK_GIB : Math.min(MOST_DISK_GIB, Math.max(1, Math.ceil(diskMiB / MIB))),
  };
}

/** What was rounded up holds only at the larger size. */
function enforcementOf(limits: WholeLimits, { cpu, memory, disk }: Sizes): Enforcement {
  return {
    cpus: cpu <= limits.cpus ? 'enforced' : 'soft',
    memory: memory * MIB <= limits.memoryMiB ? 'enforced' : 'soft',
    disk: disk * MIB <= limits.diskMiB ? 'enforced' : 'soft',
    processes: 'none',
  };
}

/** It has limits, but its own ones. */
export const ofSnapshot: Enforcement = { cpus: 'soft', memory: 'soft', disk: 'soft', processes: 'none' };

function labelsOf({ id, installation, session }: SandboxSpec, workdir: string): Record<string, string> {
  return {
    [LABEL.installation]: installation,
    [LABEL.sandbox]: id,
    [LABEL.workdir]: workdir,
    ...(session === undefined ? {} : { [LABEL.session]: session }),
  };
}

/** The stricter of both: a spec cannot open what the settings close. */
function networkOf(
  { network }: SandboxSpec,
  settings: DaytonaSettings,
): Pick<CreateSandbox, 'networkBlockAll' | 'networkAllowList' | 'domainAllowList'> {
  if (network === 'none' || settings.get('terminal.daytona_network') === 'none')
    return { networkBlockAll: true };
  const ranges = settings.get('terminal.daytona_allowed_ranges');
  const domains = settings.get('terminal.daytona_allowed_domains');
  return {
    networkBlockAll: false,
    ...(ranges.length > 0 ? { networkAllowList: ranges.join(',') } : {}),
    ...(domains.length > 0 ? { domainAllowList: domains.join(',') } : {}),
  };
}
