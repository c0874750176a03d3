// One life of a sandbox: its bubblewrap process with everything below it, from launch to the last process's end.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { type HostProcess, hostProcess, whenEnded } from './host-process.ts';
import type { Command } from './launch.ts';
import { type SparePipes, Starter } from './starter.ts';

const READY_MS = 15_000;
const KEPT_STDERR = 4_096;

/** Descriptors after the usual three: system call filter, process ids, leave to go on; then pipes for processes. */
export const SECCOMP_FD = 3;
export const INFO_FD = 4;
export const BLOCK_FD = 5;
const SPARE_FDS = [6, 9];
const FDS = 12;

export interface InstanceOptions {
  readonly command: Command;
  /** Where programs are looked for. */
  readonly path: string;
  readonly seccomp: Uint8Array;
  /** On the host. */
  readonly ioDir: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** It did not come up. `stderr` is what the programs said. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
  readonly stderr: string;

  constructor(stderr: string, options?: ErrorOptions) {
    super('the namespaces did not come up', options);
    this.stderr = stderr;
  }
}

export interface Instance {
  /** The process of the host with which all others end, and the first one in the namespaces. */
  readonly processes: readonly HostProcess[];
  readonly starter: Starter;
  /** Resolves when none of its processes lives. */
  readonly ended: Promise<void>;
  /** Ends everything in it. */
  end(): Promise<void>;
}

/** The command of the starter inside. */
export function starterCommand(ioDir: string, limits: readonly string[]): string[] {
  const script = readFileSync(new URL('./starter.sh', import.meta.url), 'utf8');
  return ['bash', '--norc', '--noprofile', '-c', script, 'hermes-starter', ioDir, String(FDS), ...limits];
}

/** Resolves when processes can be started. Throws LaunchFailed, or the reason of an abort; then nothing runs. */
export async function launch(options: InstanceOptions): Promise<Instance> {
  const { command, seccomp, ioDir, clock, signal } = options;
  const child = start(options);
  const stream = (fd: number): Socket => child.stdio[fd] as Socket; // all of them are pipes
  let stderr = '';
  stream(2).setEncoding('utf8');
  stream(2).on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  const lastWords = new Promise(resolve => stream(2).once('close', resolve));
  // If it fails before it has taken these, it says so itself.
  for (const fd of [SECCOMP_FD, BLOCK_FD]) stream(fd).on('error', () => stream(fd).destroy());
  stream(SECCOMP_FD).end(seccomp);
  const kill = (): void => void child.kill('SIGKILL');
  const spare = SPARE_FDS.map((first): SparePipes => {
    const pipes = { stdin: stream(first), stdout: stream(first + 1), stderr: stream(first + 2) };
    return { first, pipes };
  });
  const starter = new Starter({
    requests: stream(0),
    reports: stream(1),
    spare,
    ioDir,
    clock,
    onNonsense: kill,
  });
  const { closed, failure } = watch(child, starter);
  const timer = clock.after(READY_MS, kill, { keepAlive: true });
  signal?.addEventListener('abort', kill, { once: true });
  const first = await firstInside(stream(INFO_FD));
  // The kernel may take some milliseconds for each; bubblewrap is busy with mounts meanwhile.
  if (first !== undefined) await Promise.all(command.join.map(file => writeFile(file, String(first))));
  stream(BLOCK_FD).end('.');
  const isReady = await starter.ready;
  timer.cancel();
  signal?.removeEventListener('abort', kill);
  if (!isReady || signal?.aborted) {
    kill();
    await closed;
    await lastWords;
    signal?.throwIfAborted();
    throw new LaunchFailed(stderr, { cause: failure() });
  }
  const processes = await knownProcesses([child.pid, first]);
  const ended = closed.then(async () => {
    for (const each of processes) await whenEnded(each, clock);
  });
  const end = (): Promise<void> => {
    kill();
    return ended;
  };
  return { processes, starter, ended, end };
}

function start({ command, path }: InstanceOptions): ChildProcess {
  const [program, ...args] = command.argv;
  const options: SpawnOptions = {
    env: { PATH: path },
    detached: true,
    stdio: Array.from({ length: FDS }, () => 'pipe' as const),
    ...command.user,
  };
  return spawn(program, args, options);
}

/** `{"child-pid": 123, …}`, as bubblewrap tells it before it starts the command; undefined when it fails before. */
function firstInside(info: Socket): Promise<number | undefined> {
  let text = '';
  info.setEncoding('utf8');
  return new Promise(resolve => {
    info.on('data', (piece: string) => {
      text += piece;
      if (text.includes('}')) info.destroy();
    });
    info.on('error', () => info.destroy()); // shows as an early end
    info.once('close', () => resolve(Number(/"child-pid": (\d+)/.exec(text)?.[1]) || undefined));
  });
}

async function knownProcesses(pids: readonly (number | undefined)[]): Promise<HostProcess[]> {
  const known = await Promise.all(pids.map(pid => (pid === undefined ? undefined : hostProcess(pid))));
  return known.filter(each => each !== undefined);
}

/** What it writes to closes when every process that could write there is gone, but others may still be going. */
function watch(child: ChildProcess, starter: Starter) {
  let cause: Error | undefined;
  const closed = new Promise<void>(resolve => {
    child.once('error', error => {
      cause = error;
      starter.lose('it could not be started');
      resolve();
    });
    child.once('exit', () => {
      starter.lose('its processes have ended');
      resolve();
    });
  });
  return { closed, failure: () => cause };
}
