// Stops the running gateway and waits until it is gone.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sleep } from '../../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../../base/errors.ts';
import { askGateway } from '../../../gateway/process/ask-gateway.ts';
import { isGatewayRunning } from '../../../sessions/gateway-lock.ts';
import type { CommandContext } from '../../command.ts';

const LOOK_MS = 25;
/** Besides the time that runs under way are given. */
const GRACE_MS = 30_000;

const answer = z.object({
  pid: z.number(),
  supervisor: z.enum(['systemd', 'launchd', 'none']),
  words: z.array(z.string()),
});

export type StoppedGateway = z.infer<typeof answer>;

/** Throws UNAVAILABLE_NOT_RUNNING when there is none. */
export async function stopRunning(
  context: CommandContext,
  purpose: 'end' | 'restart',
): Promise<StoppedGateway & { readonly home: string }> {
  const config = await context.config();
  const { home } = config.paths;
  const { clock, signal } = context;
  const stopped = answer.parse(await ask(home, purpose));
  const giveUpAt = clock.monotonic() + config.get('gateway.stop_timeout') * 1000 + GRACE_MS;
  while (isGatewayRunning(home) || isAlive(stopped.pid)) {
    if (clock.monotonic() > giveUpAt) throw stillThere(stopped.pid);
    await sleep(clock, LOOK_MS, signal);
  }
  return { ...stopped, home };
}

async function ask(home: string, purpose: 'end' | 'restart'): Promise<unknown> {
  try {
    return await askGateway(home, { verb: 'stop', purpose });
  } catch (error) {
    if (!isHermesError(error, 'UNAVAILABLE_NOT_RUNNING') || !isGatewayRunning(home)) throw error;
    const message = `A gateway of ${home} is being started or stopped right now. Try again in a moment.`;
    throw new HermesError('UNAVAILABLE_NO_ANSWER', message, { cause: error });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
  return !isUncollected(pid);
}

/** It has ended, and nobody has asked how; as under an init that does not. */
function isUncollected(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ESRCH') return false;
    throw error;
  }
}

function stillThere(pid: number): HermesError {
  const message = `The gateway, process ${pid}, still runs. \`hermes gateway logs\` may show why; kill -9 ${pid} ends it.`;
  return new HermesError('UNAVAILABLE_NO_ANSWER', message, { details: { pid } });
}
