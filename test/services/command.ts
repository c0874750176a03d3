// Runs programs for the services: short commands with a hard time limit, and daemons that end with all they started.
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type Argv = readonly [string, ...string[]];

export interface CommandOptions {
  readonly timeoutMs?: number;
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** The command could not be started, ended with another code than 0, or took too long. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number | null;
  readonly output: CommandResult;

  constructor(message: string, exitCode: number | null, output: CommandResult, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.output = output;
  }
}

/** Runs a command to its end; on time-out or abort its whole process group is killed. */
export async function runCommand(argv: Argv, options: CommandOptions = {}): Promise<CommandResult> {
  const { timeoutMs = 60_000, cwd, env, input = '', signal } = options;
  signal?.throwIfAborted();
  const [file, ...args] = argv;
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, detached: true });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => stderr.push(data));
  // A command that ends without reading its input is judged by its exit code alone.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const onLimit = (): void => killGroup(child.pid, 'SIGKILL');
  limit.addEventListener('abort', onLimit);
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('close', ended.resolve);
  const output = (): CommandResult => ({
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  });
  try {
    const code = await ended.promise;
    signal?.throwIfAborted();
    if (limit.aborted)
      throw new CommandFailed(failure(argv, `took over ${timeoutMs} ms`, output()), code, output());
    if (code !== 0) throw new CommandFailed(failure(argv, `ended with ${code}`, output()), code, output());
    return output();
  } catch (error) {
    if (error instanceof CommandFailed || signal?.aborted) throw error;
    throw new CommandFailed(failure(argv, 'could not be started', output()), null, output(), error);
  } finally {
    limit.removeEventListener('abort', onLimit);
  }
}

function failure(argv: Argv, what: string, output: CommandResult): string {
  const tail = `${output.stdout}\n${output.stderr}`.trim().slice(-2000);
  return `${argv.join(' ').slice(0, 500)} ${what}${tail ? `:\n${tail}` : ''}`;
}

export interface Daemon {
  readonly pid: number;
  readonly logFile: string;
  hasEnded(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Asks it to end, kills its process group when it does not, resolves when it is gone. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a long-running program in its own process group; what it prints goes to a file. */
export async function startDaemon(
  argv: Argv,
  options: { logFile: string; env?: Readonly<Record<string, string>> },
): Promise<Daemon> {
  const log = await open(options.logFile, 'a');
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    // What it puts into its temporary folder is no leftover of a test.
    env: { ...process.env, TMPDIR: dirname(options.logFile), ...options.env },
  });
  const ended = Promise.withResolvers<void>();
  child.on('exit', () => ended.resolve());
  const started = Promise.withResolvers<void>();
  child.on('spawn', started.resolve);
  child.on('error', started.reject);
  try {
    await started.promise;
  } finally {
    await log.close();
  }
  const pid = child.pid ?? 0;
  return {
    pid,
    logFile: options.logFile,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: signal => void child.kill(signal),
    async stop(graceMs = 10_000) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
      await ended.promise;
      clearTimeout(timer);
      killGroup(pid, 'SIGKILL');
    },
  };
}

/** Signals a process group; one that is gone already is what was wanted. */
function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (!pid) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Retries a readiness check until it holds, its daemon ends or the time is up. */
export async function waitUntil(
  check: () => Promise<boolean>,
  options: { what: string; timeoutMs: number; daemon?: Daemon; signal?: AbortSignal },
): Promise<void> {
  const end = Date.now() + options.timeoutMs;
  while (!(await check())) {
    options.signal?.throwIfAborted();
    const isOver = options.daemon?.hasEnded() === true;
    if (isOver || Date.now() > end) {
      const log = options.daemon ? await readFile(options.daemon.logFile, 'utf8') : '';
      const what = isOver ? 'ended' : `not ready after ${options.timeoutMs} ms`;
      throw new Error(`${options.what}: ${what}\n${log.slice(-2000)}`);
    }
    await delay(30);
  }
}

/** Full path of a program, or undefined. Looks into the folders of system programs too, which ordinary users lack. */
export async function findCommand(name: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of [...folders, '/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin']) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'EACCES', 'ENOTDIR')) throw error;
    }
  }
  return undefined;
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
