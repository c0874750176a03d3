// Runs the steps of a check and says how long each took. The first failure ends it.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { seedOfRun } from '../test/random.ts';
import { cacheDir } from '../test/services/cache-dir.ts';
import { onceInterrupted } from './interrupts.ts';

export interface Step {
  readonly name: string;
  /** A program of node_modules/.bin or of the path, and its arguments. */
  readonly command: readonly [string, ...string[]];
}

const root = join(import.meta.dirname, '..');

/** Steps in a list of their own run at the same time; each of these prints what it said when it has ended. */
export async function runSteps(steps: readonly (Step | readonly Step[])[]): Promise<void> {
  for (const step of steps) {
    const codes = isGroup(step)
      ? await Promise.all(step.map(each => run(each, 'at the end')))
      : [await run(step, 'at once')];
    const failed = codes.find(code => code !== 0);
    if (failed !== undefined) process.exit(failed);
  }
}

function isGroup(step: Step | readonly Step[]): step is readonly Step[] {
  return Array.isArray(step);
}

async function run({ name, command }: Step, shown: 'at once' | 'at the end'): Promise<number> {
  const title = `▶ ${name}: ${command.join(' ')}`;
  const start = performance.now();
  if (shown === 'at once') console.log(`\n${title}`);
  const { code, output } = await execute(command, shown);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (shown === 'at the end') process.stdout.write(`\n${title}\n${output}`);
  console.log(`${code === 0 ? '✔' : '✘'} ${name}: ${seconds} s`);
  return code;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/**
 * The bundled Node comes first on the path, so that every step runs on it whatever the machine has. Compiled code is
 * kept between the many processes that the tests start.
 */
function execute([program, ...args]: Step['command'], shown: 'at once' | 'at the end'): Promise<Ended> {
  const env = {
    NODE_COMPILE_CACHE: join(cacheDir(), 'compiled'),
    HERMES_SEED: seedOfRun(),
    ...process.env,
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  };
  const stdio = shown === 'at once' ? 'inherit' : 'pipe';
  const child = spawn(program, args, { cwd: root, stdio: ['inherit', stdio, stdio], env });
  const stop = onceInterrupted(signal => child.kill(signal));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop();
      resolve({ code: code ?? (signal ? 1 : 0), output: output.join('') });
    });
  });
}
