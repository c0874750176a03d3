// Runs a short program on this machine to its end, with a hard limit.
import type { Clock } from '../../base/clock.ts';
import type { ProcessExit } from '../backend.ts';
import { startChild } from '../child-process.ts';
import type { Argv } from './arguments.ts';

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Finished {
  readonly exit: ProcessExit;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Rejects with ENOENT when there is no such program, and with the reason of an abort. */
export async function runProgram(argv: Argv, options: RunOptions): Promise<Finished> {
  const { env, clock, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const child = await startChild({ argv, cwd: '/', env });
  const output = { stdout: '', stderr: '' };
  child.onOutput((stream, data) => {
    output[stream] += Buffer.from(data).toString();
    return undefined;
  });
  child.end();
  let timedOut = false;
  const timer = clock.after(timeoutMs, () => {
    timedOut = true;
    child.kill();
  });
  const onAbort = (): void => child.kill();
  signal?.addEventListener('abort', onAbort, { once: true });
  const exit = await child.exit;
  timer.cancel();
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  return { exit, ...output, timedOut };
}

export function succeeded({ exit }: Finished): boolean {
  return 'code' in exit && exit.code === 0;
}
