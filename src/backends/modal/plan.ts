// Decides what is asked of the service: the spec and the settings, put together. Pure.
import { resolve } from 'node:path/posix';
import type { SandboxCreateParams } from 'modal';
import { z } from 'zod';
import type { SettingsReader } from '../../base/setting.ts';
import type { Enforcement, SandboxSpec } from '../backend.ts';
import type { section as terminal } from '../settings.ts';
import { guardCommand } from './guard.ts';
import type { section as modal } from './settings.ts';

export type ModalSettings = SettingsReader<(typeof terminal)['settings'] & (typeof modal)['settings']>;

const WORKSPACE = '/workspace';
/** For the channel and the guard, in the sandbox. */
export const HERMES_FOLDER = '/.hermes';
export const CHANNEL_FOLDER = `${HERMES_FOLDER}/channel`;
const IDLE_SECONDS = 3600;
/** How much longer than its owner the guard waits. */
const MARGIN_SECONDS = 600;
const LONGEST_LIFE_SECONDS = 86_400;

/** What a sandbox is made from, and made from again after a suspension. Plain JSON. */
export const planSchema = z.object({
  image: z.string(),
  workdir: z.string(),
  network: z.enum(['none', 'open']),
  cpus: z.number(),
  memoryMiB: z.number(),
  regions: z.array(z.string()),
  idleSeconds: z.number(),
  lifeSeconds: z.number(),
});

export type Plan = Readonly<z.infer<typeof planSchema>>;

/** The stricter of both: a spec cannot open what the settings close. */
export function planOf(spec: SandboxSpec, settings: ModalSettings): Plan {
  const { limits, network } = spec;
  const idleSeconds = (spec.idleSeconds ?? IDLE_SECONDS) + MARGIN_SECONDS;
  const life = Math.max(settings.get('terminal.modal_life'), idleSeconds + MARGIN_SECONDS);
  return {
    image: spec.image ?? settings.get('terminal.modal_image'),
    workdir: resolve(WORKSPACE, spec.cwd ?? settings.get('terminal.cwd') ?? WORKSPACE),
    network: network === 'none' ? 'none' : settings.get('terminal.modal_network'),
    cpus: limits.cpus ?? settings.get('terminal.container_cpu'),
    memoryMiB: limits.memoryMiB ?? settings.get('terminal.container_memory'),
    regions: [...settings.get('terminal.modal_region')],
    idleSeconds: Math.min(idleSeconds, LONGEST_LIFE_SECONDS),
    lifeSeconds: Math.min(life, LONGEST_LIFE_SECONDS),
  };
}

export type Tags = Readonly<Record<string, string>>;

/** What is asked for is also the most that is given, so that the bill can be foreseen. */
export function paramsOf(plan: Plan, name: string, tags: Tags): SandboxCreateParams {
  const { cpus, memoryMiB, regions } = plan;
  return {
    ...{ name, tags },
    // Without a limit it is the service that decides.
    ...(cpus === 0 ? {} : { cpu: cpus, cpuLimit: cpus }),
    ...(memoryMiB === 0 ? {} : { memoryMiB, memoryLimitMiB: memoryMiB }),
    ...{ timeoutMs: plan.lifeSeconds * 1000, idleTimeoutMs: plan.idleSeconds * 1000 },
    ...(regions.length > 0 ? { regions } : {}),
    blockNetwork: plan.network === 'none',
    command: guardCommand(plan.idleSeconds),
  };
}

/** Of disk and processes the service holds no limit. */
export const ENFORCEMENT: Enforcement = {
  cpus: 'enforced',
  memory: 'enforced',
  disk: 'none',
  processes: 'none',
};
