// Runs a program of the package as a user would, and tells everything about its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from '../services/command.ts';
import { within } from '../wait.ts';

/** Only ends a hang. */
const LONGEST_MS = 50_000;

export interface ProgramOptions {
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Sent as soon as the program has written something. */
  readonly signalWhenReady?: NodeJS.Signals;
  /** Leave the input open, and interrupt the program once it has taken what there was. */
  readonly interruptReading?: boolean;
  /** The input has no end. */
  readonly keepOpen?: boolean;
  /** Stop reading before the program writes. */
  readonly closeOutput?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: ProgramOptions = {},
): Promise<Ended> {
  const { cwd, env, input = '', signalWhenReady, interruptReading, keepOpen, closeOutput = false } = options;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  let [stdout, stderr] = ['', ''];
  if (closeOutput) child.stdout.destroy();
  child.stdout.on('data', (data: Buffer) => {
    stdout += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data;
  });
  if (signalWhenReady) child.stdout.once('data', () => child.kill(signalWhenReady));
  // A program that ends without reading its input is judged by its end alone.
  child.stdin.on('error', () => undefined);
  // More than a pipe holds: only who reads takes the last of it.
  if (interruptReading) child.stdin.write('x'.repeat(1 << 20), () => child.kill('SIGINT'));
  else if (keepOpen) child.stdin.write(input);
  else child.stdin.end(input);
  try {
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>; // as Node documents it
    const [code, signal] = await within(
      ended,
      () => `${[program, ...args].join(' ')} ends: ${stderr}`,
      LONGEST_MS,
    );
    return { code, signal, stdout, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}

/** A Node on the path that is older than the one we need; undefined where there is none. */
export async function findOlderNode(): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders.filter(name => !name.includes('node_modules'))) {
    const node = join(folder, 'node');
    if (!existsSync(node)) continue;
    const { stdout } = await runCommand([node, '-p', 'parseInt(process.versions.node)']);
    if (Number(stdout) < 24) return node;
  }
  return undefined;
}
