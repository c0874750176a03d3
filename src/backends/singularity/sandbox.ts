// A sandbox as everybody above sees it, over the life of its instance.

import type { Sandbox } from '../backend.ts';
import { CHANNEL } from './arguments.ts';
import { facts } from './facts.ts';
import type { Label } from './folder.ts';
import type { Life } from './life.ts';

export function singularitySandbox(
  life: Life,
  { ref, workdir }: Label,
  env: Readonly<Record<string, string>>,
): Sandbox {
  return {
    ...{ ref, workdir, env, channelDir: CHANNEL, ownProcesses: facts.capabilities.ownProcesses },
    get enforcement() {
      return life.enforcement;
    },
    spawn: (argv, options) => life.spawn(argv, options),
    suspend: () => life.stop(),
    resume: options => life.start(options),
    destroy: () => life.destroy(),
  };
}
