// What the operator's settings add to sandboxes of the CLI: folders of the host, and values of variables by their names.
import { HermesError } from '../../base/errors.ts';
import type { Additions, DriverContext, Mount } from '../backend.ts';
import { type DockerSettings, WORKSPACE } from './plan.ts';
import { parseVolume } from './volumes.ts';

type Sources = Pick<DriverContext, 'cwd' | 'variable'> & { readonly userHome: string | undefined };

export interface DockerAdditions extends Additions {
  /** Names that are to be forwarded and are set nowhere. */
  readonly unset: readonly string[];
}

/** Whether sources exist, and whether they may be mounted, is judged when a container is made. Throws CONFIG_INVALID. */
export function additionsOf(settings: DockerSettings, sources: Sources): DockerAdditions {
  const volumes = settings
    .get('terminal.docker_volumes')
    .map(text => ({ text, mount: parseVolume(text, sources.userHome) }));
  const mounts = [
    ...(settings.get('terminal.docker_mount_cwd_to_workspace')
      ? [
          {
            text: 'terminal.docker_mount_cwd_to_workspace',
            mount: { source: sources.cwd, target: WORKSPACE, readOnly: false },
          },
        ]
      : []),
    ...volumes,
  ];
  refuseDoubles(mounts);
  const names = [...new Set(settings.get('terminal.docker_forward_env'))];
  const found = names.flatMap(name => {
    const value = sources.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = Object.fromEntries(found);
  return {
    mounts: mounts.map(({ mount }) => mount),
    env,
    unset: names.filter(name => !Object.hasOwn(env, name)),
  };
}

/** Two folders cannot stand at one place; which one was meant is not guessed. */
function refuseDoubles(mounts: readonly { text: string; mount: Mount }[]): void {
  const byTarget = Object.groupBy(mounts, ({ mount }) => mount.target);
  for (const [target, there = []] of Object.entries(byTarget)) {
    if (there.length < 2) continue;
    const texts = there.map(({ text }) => text).join(' and ');
    throw new HermesError(
      'CONFIG_INVALID',
      `Two folders are to be mounted at ${target}: ${texts}. Take one of them out of terminal.docker_volumes, or turn terminal.docker_mount_cwd_to_workspace off. Nothing was made.`,
      { details: { target, volumes: there.map(({ text }) => text) } },
    );
  }
}
