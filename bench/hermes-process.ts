// The program as a user starts it, for benchmarks: commands that end, and a gateway that runs until it is stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const hermes = join(import.meta.dirname, '../bin/hermes.js');

export interface ProcessOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that are as good as 0. */
  readonly codes?: readonly number[];
}

/** Runs Node with these arguments until it ends. */
export async function node(args: readonly string[], options: ProcessOptions): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: environmentOf(options) });
  const [code] = await once(child, 'exit');
  if (code !== 0 && !options.codes?.includes(code)) throw new Error(`${args.join(' ')} exited ${code}`);
}

/** A gateway from its start until it reports that it is ready; resolves with a function that ends it. */
export async function startGateway(options: ProcessOptions): Promise<() => Promise<void>> {
  const words = ['gateway', 'start', '--json', '--set', 'gateway.http_port=0'];
  const child = spawn(process.execPath, [hermes, ...words], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

function environmentOf({ home, environment }: ProcessOptions): NodeJS.ProcessEnv {
  return { ...process.env, TERMINAL_ENV: 'local', HERMES_HOME: home, ...environment };
}
