// A sandbox as the layers above see it.

import type { Sandbox } from '../backend.ts';
import { CHANNEL_DIR } from './arguments.ts';
import { facts } from './facts.ts';
import type { Life } from './life.ts';

export function bubblewrapSandbox(
  life: Life,
  env: Readonly<Record<string, string>>,
  resume: NonNullable<Sandbox['resume']>,
): Sandbox {
  return {
    ref: life.label.ref,
    workdir: life.label.workdir,
    env,
    enforcement: life.enforcement,
    ownProcesses: facts.capabilities.ownProcesses,
    channelDir: CHANNEL_DIR,
    spawn: argv => life.spawn(argv),
    suspend: () => life.stop(),
    resume,
    destroy: () => life.destroy(),
  };
}
