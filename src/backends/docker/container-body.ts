// What the engine is told to make: the hardening of every container, as plain data.
import { createHash } from 'node:crypto';
import type { Mount, SandboxSpec } from '../backend.ts';
import { WORKSPACE } from './plan.ts';

/** Everything that was decided before, in numbers and names. */
export interface ContainerPlan {
  readonly spec: Pick<SandboxSpec, 'id' | 'installation' | 'session' | 'persistent'>;
  readonly image: string;
  readonly workdir: string;
  /** Empty = the image's own. */
  readonly user: string;
  /** Of the engine: `none`, `bridge` or a name. */
  readonly network: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly processes: number;
  /** Absent: this engine enforces none. */
  readonly diskMiB?: number;
  readonly mounts: readonly Mount[];
  readonly extraCaps: readonly string[];
  readonly runtime?: string;
  /** Instead of the engine's default profile. */
  readonly seccomp?: string;
  /** ISO 8601. */
  readonly created: string;
}

export const LABEL = {
  installation: 'hermes.installation',
  sandbox: 'hermes.sandbox',
  session: 'hermes.session',
  created: 'hermes.created',
  config: 'hermes.config',
  workdir: 'hermes.workdir',
} as const;

const MIB = 1024 * 1024;
/** Programs are built and run in /tmp, so it is executable; setuid and devices count nowhere. */
const TMPFS = {
  '/tmp': 'rw,exec,nosuid,nodev,size=512m,mode=1777',
  '/var/tmp': 'rw,exec,nosuid,nodev,size=256m,mode=1777',
  '/run': 'rw,noexec,nosuid,nodev,size=64m,mode=755',
} as const;
/** Below what engines themselves are commonly limited to: one without CAP_SYS_RESOURCE can give no more than it has. */
const OPEN_FILES = 16_384;

export function containerBody(plan: ContainerPlan): Record<string, unknown> {
  const { spec, created, ...decided } = plan;
  return {
    Image: plan.image,
    // Sleeps for 68 years at no cost; `infinity` is not known everywhere. The init ends it at once on a stop.
    Entrypoint: ['sleep'],
    Cmd: ['2147483647'],
    WorkingDir: WORKSPACE,
    User: plan.user,
    Env: [],
    Healthcheck: { Test: ['NONE'] },
    OpenStdin: false,
    Tty: false,
    Labels: {
      [LABEL.installation]: spec.installation,
      [LABEL.sandbox]: spec.id,
      ...(spec.session === undefined ? {} : { [LABEL.session]: spec.session }),
      [LABEL.created]: created,
      [LABEL.workdir]: plan.workdir,
      [LABEL.config]: createHash('sha256').update(JSON.stringify(decided)).digest('hex').slice(0, 16),
    },
    HostConfig: hostConfig(plan),
  };
}

function hostConfig(plan: ContainerPlan): Record<string, unknown> {
  const memory = plan.memoryMiB * MIB;
  return {
    CapDrop: ['ALL'],
    CapAdd: [...plan.extraCaps],
    // The AppArmor profile is the default one, because none is named here; so is the seccomp profile, unless that has a hole.
    SecurityOpt: ['no-new-privileges', ...(plan.seccomp === undefined ? [] : [`seccomp=${plan.seccomp}`])],
    Privileged: false,
    Init: true,
    // The engine itself clears away what is not to outlive its stop, also where no gateway is left to do it.
    AutoRemove: !plan.spec.persistent,
    RestartPolicy: { Name: 'no' },
    PidsLimit: plan.processes,
    Memory: memory,
    // Equal: no swap on top.
    MemorySwap: memory,
    NanoCpus: Math.round(plan.cpus * 1e9),
    Ulimits: [
      { Name: 'nofile', Soft: OPEN_FILES, Hard: OPEN_FILES },
      { Name: 'core', Soft: 0, Hard: 0 },
    ],
    IpcMode: 'private',
    CgroupnsMode: 'private',
    ShmSize: 64 * MIB,
    NetworkMode: plan.network,
    Tmpfs: withoutMounted(plan.mounts),
    LogConfig: { Type: 'none', Config: {} },
    // `Mounts`, not `Binds`: a source that the engine's host does not have is an error, not a new empty folder.
    Mounts: plan.mounts.map(({ source, target, readOnly }) => ({
      Type: 'bind',
      Source: source,
      Target: target,
      ReadOnly: readOnly,
      // What is mounted below the source on the host later is not seen inside, and the reverse.
      BindOptions: { Propagation: 'rprivate' },
    })),
    ...(!plan.diskMiB ? {} : { StorageOpt: { size: `${plan.diskMiB}M` } }),
    ...(plan.runtime === undefined ? {} : { Runtime: plan.runtime }),
  };
}

/** What the operator mounts at one of these places comes instead. */
/** MiB that the options of a memory disk let it hold; undefined = no memory disk, or no limit. */
export function tmpMiBOf(tmpfs: Readonly<Record<string, string>>): number | undefined {
  const size = /(?:^|,)size=(\d+)m(?:,|$)/.exec(tmpfs['/tmp'] ?? '')?.[1];
  return size === undefined ? undefined : Number(size);
}

export function withoutMounted(mounts: readonly Mount[]): Record<string, string> {
  const targets = new Set(mounts.map(({ target }) => target.replace(/\/+$/, '')));
  return Object.fromEntries(Object.entries(TMPFS).filter(([target]) => !targets.has(target)));
}
