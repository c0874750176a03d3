// Runs commands one after the other, stops at the first that fails, and says how long each took.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

interface Step {
  readonly name: string;
  /** A program of node_modules/.bin or of the path, and its arguments. */
  readonly command: readonly [string, ...string[]];
}

const root = join(import.meta.dirname, '..');

export async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const { name, command } of steps) {
    const start = performance.now();
    console.log(`\n▶ ${name}: ${command.join(' ')}`);
    const code = await run(command);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? '✔' : '✘'} ${name}: ${seconds} s`);
    if (code !== 0) process.exit(code);
  }
}

/** The bundled Node first, so that every step runs on it whatever the machine has. */
function run([program, ...args]: Step['command']): Promise<number> {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
