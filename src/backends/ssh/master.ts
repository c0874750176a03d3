// One connection to the machine: an ssh process in the background that sessions are opened through.
import { readFile } from 'node:fs/promises';
import { sleep } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import { controlArguments } from './arguments.ts';
import { type RunOptions, runProgram, succeeded } from './run-program.ts';

export interface Master {
  readonly socket: string;
  /** Whether the connection is still there. */
  isAlive(): Promise<boolean>;
  /** Resolves when its process is gone. */
  end(): Promise<void>;
}

const CONTROL_MS = 5_000;
const END_MS = 3_000;
const PAUSE_MS = 5;

/** The master at this socket, whoever has started it. */
export function masterAt(socket: string, options: Pick<RunOptions, 'env' | 'clock'>): Master {
  const ask = (request: 'check' | 'exit') =>
    runProgram(controlArguments(socket, request), { ...options, timeoutMs: CONTROL_MS });
  return {
    socket,
    isAlive: async () => succeeded(await ask('check')),
    async end() {
      const check = await ask('check');
      if (!succeeded(check)) return;
      const pid = Number(/pid=(\d+)/.exec(check.stdout + check.stderr)?.[1] ?? 0);
      await ask('exit');
      const giveUpAt = options.clock.monotonic() + END_MS;
      while (pid > 0 && (await isRunning(pid))) {
        // A connection that hangs may hang here as well; nothing of ours is to be left.
        if (options.clock.monotonic() > giveUpAt) signal(pid, 'SIGKILL');
        await sleep(options.clock, PAUSE_MS);
      }
    },
  };
}

/** One that has ended and waits to be collected, which is not our duty, runs no more. */
async function isRunning(pid: number): Promise<boolean> {
  if (!signal(pid, 0)) return false;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false;
    // Ended meanwhile, or a system without /proc.
    if (systemErrorCode(error) === 'ENOENT') return signal(pid, 0);
    throw error;
  }
}

/** False when there is no such process of ours. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH' || systemErrorCode(error) === 'EPERM') return false;
    throw error;
  }
}
