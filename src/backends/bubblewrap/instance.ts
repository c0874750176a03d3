// One life of a sandbox: its bubblewrap process with everything below it, from launch to the last process's end.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import {
  BLOCK_FD,
  childPid,
  FIRST_GROUP_FD,
  FLAGS_FD,
  INFO_FD,
  lastWords,
  NETWORK_BLOCK_FD,
  NETWORK_INFO_FD,
  SECCOMP_FD,
  SPARE_FDS,
  type StreamOf,
  sendLast,
} from './descriptors.ts';
import { type HostProcess, hostProcess, whenEnded } from './host-process.ts';
import type { Command } from './launch.ts';
import { NetworkFailed, openNetwork, type Uplink } from './network.ts';
import { type SparePipes, Starter } from './starter.ts';

const READY_MS = 15_000;
const LAST_WORDS_MS = 500;

export interface InstanceOptions {
  readonly command: Command;
  /** Whether it has an open network, for which the command waits. */
  readonly network: 'none' | 'open';
  /** Who the sandbox is on the host; absent = who the gateway is. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Files of control groups that the starter writes itself to. */
  readonly groups: readonly string[];
  /** Where programs are looked for. */
  readonly path: string;
  readonly seccomp: Uint8Array;
  /** On the host. */
  readonly ioDir: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** It did not come up. `stderr` is what the programs said; '' and `isLate` when they said nothing in time. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
  readonly stderr: string;
  readonly isLate: boolean;

  constructor(stderr: string, isLate: boolean, options?: ErrorOptions) {
    super('the namespaces did not come up', options);
    this.stderr = stderr;
    this.isLate = isLate;
  }
}

export interface Instance {
  /** The processes of the host with which all others end, and the first one in the namespaces. */
  readonly processes: readonly HostProcess[];
  readonly starter: Starter;
  /** Resolves when none of its processes lives. */
  readonly ended: Promise<void>;
  /** Ends everything in it; `reason` is told to whoever waits for its processes. */
  end(reason?: string): Promise<void>;
}

/** Resolves when processes can be started. Throws LaunchFailed, NetworkFailed, or the reason of an abort; then nothing runs. */
export async function launch(options: InstanceOptions): Promise<Instance> {
  const { clock, signal } = options;
  const child = start(options);
  const stream: StreamOf = fd => child.stdio[fd] as Socket; // all that are asked for are pipes
  const words = lastWords(stream(2));
  const starter = newStarter(stream, options, () => killGroup(child));
  const { closed, failure } = watch(child, starter);
  let isLate = false;
  // Whatever it waits for ends with this, also when something else holds the streams of a dead program.
  const stop = (): void => {
    killGroup(child);
    starter.lose('it was stopped');
    for (const fd of [INFO_FD, NETWORK_INFO_FD]) stream(fd).destroy();
  };
  const tooLate = (): void => {
    isLate = true;
    stop();
  };
  const timer = clock.after(READY_MS, tooLate, { keepAlive: true });
  signal?.addEventListener('abort', stop, { once: true });
  const [up] = await Promise.allSettled([bringUp(stream, starter, { ...options, pid: child.pid })]);
  timer.cancel();
  signal?.removeEventListener('abort', stop);
  if (up.status === 'fulfilled' && up.value && !signal?.aborted) {
    const { processes, uplink } = up.value;
    const ended = closed.then(async () => {
      await uplink?.end();
      for (const each of processes) await whenEnded(each, clock);
    });
    const end = (reason = 'its processes have ended'): Promise<void> => {
      starter.lose(reason);
      killGroup(child);
      return ended;
    };
    return { processes, starter, ended, end };
  }
  stop();
  await withinTime(clock, Promise.all([closed, words.closed]));
  for (const each of child.stdio) each?.destroy();
  if (up.status === 'fulfilled') await up.value?.uplink?.end();
  signal?.throwIfAborted();
  const cause = up.status === 'rejected' ? up.reason : failure();
  if (cause instanceof NetworkFailed) throw cause;
  throw new LaunchFailed(words.text(), isLate, { cause });
}

interface Up {
  readonly processes: readonly HostProcess[];
  readonly uplink?: Uplink;
}

/** Undefined when it ended before it was ready. */
async function bringUp(
  stream: StreamOf,
  starter: Starter,
  options: InstanceOptions & { readonly pid: number | undefined },
): Promise<Up | undefined> {
  const { command, network, pid } = options;
  const around = network === 'open' ? await childPid(stream(NETWORK_INFO_FD)) : undefined;
  const uplink = around === undefined ? undefined : await openNetwork({ ...options, pid: around });
  stream(NETWORK_INFO_FD).destroy();
  let isUp = false;
  try {
    sendLast(stream(NETWORK_BLOCK_FD), '.');
    const first = await childPid(stream(INFO_FD));
    // The kernel may take some milliseconds for each; bubblewrap is busy with mounts meanwhile.
    if (first !== undefined) await Promise.all(command.join.map(file => writeFile(file, String(first))));
    sendLast(stream(BLOCK_FD), '.');
    const known = knownProcesses([pid, around, uplink?.pid, first]);
    const [isReady, processes] = await Promise.all([starter.ready, known]);
    isUp = isReady;
    return isReady ? { processes, ...(uplink ? { uplink } : {}) } : undefined;
  } finally {
    if (!isUp) await uplink?.end();
  }
}

function start({ command, path, groups }: InstanceOptions): ChildProcess {
  const [program, ...args] = command.argv;
  const fds = groups.map(file => openSync(file, constants.O_WRONLY));
  const pipes = Array.from({ length: FIRST_GROUP_FD }, () => 'pipe' as const);
  const options: SpawnOptions = {
    env: { PATH: path },
    detached: true,
    stdio: [...pipes, ...fds],
    ...command.user,
  };
  try {
    return spawn(program, args, options);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

function newStarter(stream: StreamOf, options: InstanceOptions, onNonsense: () => void): Starter {
  const { command, seccomp, ioDir, clock } = options;
  // If it fails before it has taken these, it says so itself.
  for (const fd of [SECCOMP_FD, BLOCK_FD, NETWORK_BLOCK_FD, FLAGS_FD])
    stream(fd).on('error', () => stream(fd).destroy());
  sendLast(stream(SECCOMP_FD), seccomp);
  sendLast(stream(FLAGS_FD), command.flags.map(word => `${word}\0`).join(''));
  const spare = SPARE_FDS.map((first): SparePipes => {
    const pipes = { stdin: stream(first), stdout: stream(first + 1), stderr: stream(first + 2) };
    return { first, pipes };
  });
  return new Starter({ requests: stream(0), reports: stream(1), spare, ioDir, clock, onNonsense });
}

/** It is the leader of a group of its own; whatever it has started belongs to that, or ends with it. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

/** For what a program has said before its end, and for what may hold its streams for ever. */
async function withinTime(clock: Clock, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = clock.after(LAST_WORDS_MS, late.resolve, { keepAlive: true });
  await Promise.race([work, late.promise]);
  timer.cancel();
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
