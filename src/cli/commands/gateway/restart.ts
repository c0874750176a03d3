// hermes gateway restart: a new process with the settings as they are now.
import { isHermesError } from '../../../base/errors.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import type { Ready } from './ready.ts';
import { readyText } from './ready.ts';
import { type StoppedGateway, stopRunning } from './stop-running.ts';

interface Restarted {
  /** The process that was stopped; null when none ran. */
  readonly before: number | null;
  readonly ready: Ready | null;
  readonly supervisor: StoppedGateway['supervisor'];
}

export const gatewayRestart = defineCommand({
  doc: 'Stops the running gateway in order and starts a new one in the background, with the flags of the old one and the settings as they are now. One that systemd or launchd watches over is started again by it. Where none runs, one is started.',
  flags: {},
  args: [],
  examples: [['gateway restart', 'after a change of the settings']],
  async run(_input, context): Promise<Restarted> {
    // A new configuration that has mistakes leaves the old gateway running.
    const { home } = (await context.config()).paths;
    const stopped = await stopIfRunning(context);
    const { supervisor = 'none', pid = null } = stopped ?? {};
    if (supervisor !== 'none') return { before: pid, ready: null, supervisor };
    const { startDetached } = await import('./detach.ts');
    const words = stopped?.words ?? ['gateway', 'start'];
    return { before: pid, ready: await startDetached({ home, words }, context), supervisor };
  },
  render: ({ before, ready, supervisor }, look) =>
    [
      before === null ? 'No gateway was running.' : `The gateway, process ${before}, has stopped.`,
      ready ? readyText(ready, look) : `${supervisor} starts it again; see: hermes gateway status`,
    ].join('\n'),
});

async function stopIfRunning(context: CommandContext): Promise<StoppedGateway | undefined> {
  try {
    return await stopRunning(context, 'restart');
  } catch (error) {
    if (isHermesError(error, 'UNAVAILABLE_NOT_RUNNING')) return undefined;
    throw error;
  }
}
