// The mounts of a spec, judged before anything is made.
import { hostname, release } from 'node:os';
import { inContainer } from '../../base/in-container.ts';
import type { DriverContext, Mount } from '../backend.ts';
import type { Info } from './answers.ts';
import type { Engine } from './engine.ts';
import type { DockerSettings } from './plan.ts';
import { type CheckedMount, checkMount, refused } from './volumes.ts';

export interface HostMountsOptions {
  readonly engine: Engine;
  readonly settings: DockerSettings;
  readonly context: DriverContext;
}

/** Throws SANDBOX_NOT_CREATED for one that cannot or may not be mounted; warns of one that may although it is dangerous. */
export async function checkMounts(
  { engine, settings, context }: HostMountsOptions,
  given: readonly Mount[],
  options: { mayBeElsewhere: boolean },
): Promise<CheckedMount[]> {
  if (given.length === 0) return [];
  const { address } = (await engine.connect()).endpoint;
  const places = {
    userHome: context.environment['HOME'],
    hermesHome: context.home,
    engineSocket: 'socketPath' in address ? address.socketPath : undefined,
  };
  const mounts = await Promise.all(given.map(mount => checkMount(mount, places, options)));
  for (const mount of mounts) {
    if (mount.danger === undefined) continue;
    if (!settings.get('terminal.docker_allow_dangerous_volumes')) {
      throw refused(
        mount,
        `${mount.danger}. If you want that, set terminal.docker_allow_dangerous_volumes: true`,
      );
    }
    context.progress(`Warning: ${mount.source} is mounted into a sandbox although ${mount.danger}.`);
  }
  return mounts;
}

/** Whether containers see the very files that we see, under the same numbers: no virtual machine and no gVisor is in between. */
export function seesOurFiles(info: Info, runtime: string | undefined): boolean {
  const isUsual = ['runc', 'crun'].includes(runtime ?? info.DefaultRuntime);
  return isUsual && info.KernelVersion === release() && info.Name === hostname();
}

/** Whether the engine sees another file system than we do. */
export async function engineIsElsewhere(engine: Engine): Promise<boolean> {
  const { address } = (await engine.connect()).endpoint;
  return 'host' in address || inContainer();
}
