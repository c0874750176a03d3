// Gateways as processes, each on a home of its own that is removed with them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { within } from '../../wait.ts';
import { callHermes } from '../call-hermes.ts';
import { type Ended, runProgram } from '../run-program.ts';
import { newHome } from '../sessions/world.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
/** Any free port, so that tests do not meet. */
const FREE_PORT = ['--set', 'gateway.http_port=0'];

const STARTS = /\bgateway (?:re)?start\b/;

export interface Ready {
  readonly status: { readonly pid: number; readonly http: string; readonly state: string };
  readonly notes: readonly string[];
  readonly greeting: readonly string[];
}

export interface Foreground {
  /** When it says that it is ready. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
}

export interface Ground {
  readonly home: string;
  run(...words: string[]): Promise<Ended>;
  detach(...words: string[]): Promise<Ready & { readonly stderr: string }>;
  foreground(...words: string[]): Foreground;
}

export function useGround(): (environment?: Readonly<Record<string, string>>) => Promise<Ground> {
  const used: { home: string; run: Ground['run']; children: Set<() => void> }[] = [];
  afterEach(async () => {
    for (const { home, run, children } of used.splice(0)) {
      for (const kill of children) kill();
      if (existsSync(join(home, 'gateway.sock'))) await run('gateway', 'stop');
      await rm(home, { recursive: true, force: true });
    }
  });
  return async (environment = { TERMINAL_ENV: 'local' }) => {
    const home = await newHome();
    const env = { ...environment, HERMES_HOME: home, NO_COLOR: '1' };
    const children = new Set<() => void>();
    // A command that starts a gateway needs a process of its own. The others only talk to a running one.
    const run: Ground['run'] = (...words) =>
      STARTS.test(words.join(' '))
        ? runProgram([process.execPath, program, ...words], { env })
        : callHermes(words, { env });
    used.push({ home, run, children });
    return {
      home,
      run,
      async detach(...words) {
        const { code, stdout, stderr } = await run(
          'gateway',
          'start',
          '--detach',
          '--json',
          ...FREE_PORT,
          ...words,
        );
        if (code !== 0) throw new Error(`it did not start: ${stderr}`);
        return { ...(JSON.parse(stdout) as Ready), stderr };
      },
      foreground: (...words) => foreground([...FREE_PORT, ...words], env, children),
    };
  };
}

function foreground(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  children: Set<() => void>,
): Foreground {
  const child = spawn(process.execPath, [program, 'gateway', 'start', '--json', ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  children.add(kill);
  let [stdout, stderr] = ['', ''];
  const ready = Promise.withResolvers<Ready>();
  child.stdout.on('data', data => {
    stdout += data;
    if (stdout.includes('\n')) ready.resolve(JSON.parse(stdout.split('\n', 1)[0] ?? ''));
  });
  child.stderr.on('data', data => {
    stderr += data;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    children.delete(kill);
    ready.reject(new Error(`it ended: ${stderr}`));
    return { code, signal, stdout, stderr } as Ended;
  });
  // Not everybody waits for it.
  const isReady = within(ready.promise, () => `the gateway is ready: ${stderr}`);
  isReady.catch(error => error);
  return { ready: isReady, ended, signal: name => void child.kill(name) };
}
