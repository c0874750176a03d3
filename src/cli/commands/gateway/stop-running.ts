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

const described = answer.omit({ words: true });

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
    if (isHermesError(error, 'DENIED_ACTION')) return signalInstead(home, purpose);
    if (!isHermesError(error, 'UNAVAILABLE_NOT_RUNNING') || !isGatewayRunning(home)) throw error;
    const message = `A gateway of ${home} is being started or stopped right now. Try again in a moment.`;
    throw new HermesError('UNAVAILABLE_NO_ANSWER', message, { cause: error });
  }
}

/** Where the socket takes no such request: whoever may signal the process may end it. */
async function signalInstead(home: string, purpose: 'end' | 'restart'): Promise<StoppedGateway> {
  const { pid, supervisor } = described.parse(await askGateway(home, { verb: 'status' }));
  const words = wordsOf(pid);
  process.kill(pid, purpose === 'end' ? 'SIGTERM' : 'SIGUSR2');
  return { pid, supervisor, words };
}

/** What stands behind our own program in the command line of the process. */
function wordsOf(pid: number): string[] {
  const line = ifReadable(`/proc/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? [];
  const program = line.findIndex(word => /(?:^|\/)(?:hermes(?:\.js)?|main\.[jt]s)$/.test(word));
  return program < 0 ? ['gateway', 'start'] : line.slice(program + 1);
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
  return /\) Z /.test(ifReadable(`/proc/${pid}/stat`) ?? '');
}

/** Undefined where there is no such process, or no /proc. */
function ifReadable(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function stillThere(pid: number): HermesError {
  const message = `The gateway, process ${pid}, still runs. \`hermes gateway logs\` may show why; kill -9 ${pid} ends it.`;
  return new HermesError('UNAVAILABLE_NO_ANSWER', message, { details: { pid } });
}
