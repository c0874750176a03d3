// A process in a sandbox, as its starter began it: its three streams are pipes in a folder that both sides see.
import { closeSync, constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { OutputListener, ProcessExit, SandboxProcess } from '../backend.ts';
import { untilTaken } from '../until-taken.ts';

/** What a process has started may hold its pipes for ever; its own output is long through them by then. */
const DRAIN_MS = 200;

export interface Pipes {
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
}

/**
 * Opens the gateway's ends; none of this waits. The sandbox can put anything into the folder, so a link is not
 * followed, and what is not a pipe is refused. Once open, the pipes need no name.
 */
export function openPipes(dir: string, id: string): Pipes {
  const { O_RDONLY, O_WRONLY } = constants;
  const stdin = openPipe(join(dir, `${id}.0`), O_WRONLY);
  const stdout = openPipe(join(dir, `${id}.1`), O_RDONLY);
  const stderr = openPipe(join(dir, `${id}.2`), O_RDONLY);
  return {
    stdin: new Socket({ fd: stdin, readable: false, writable: true }),
    stdout: new Socket({ fd: stdout, readable: true, writable: false }),
    stderr: new Socket({ fd: stderr, readable: true, writable: false }),
  };
}

function openPipe(path: string, way: number): number {
  const fd = openSync(path, way | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  if (!fstatSync(fd).isFIFO()) {
    closeSync(fd);
    throw new HermesError('SANDBOX_GONE', 'Something in the sandbox has replaced a pipe of its starter.');
  }
  unlinkSync(path);
  return fd;
}

export interface PipedProcessOptions {
  readonly pipes: Pipes;
  /** Resolves when the starter has told how it ended, or cannot any more. */
  readonly ended: Promise<ProcessExit>;
  readonly kill: () => void;
  readonly clock: Clock;
}

export function pipedProcess({ pipes, ended, kill, clock }: PipedProcessOptions): SandboxProcess {
  const { stdin, stdout, stderr } = pipes;
  const outputs = [stdout, stderr];
  const dropOutputs = (): void => {
    for (const output of outputs) output.destroy();
  };
  // A broken pipe shows as the process's end; nobody has to hear of it twice.
  for (const stream of [stdin, ...outputs]) stream.on('error', () => stream.destroy());
  const closed = Promise.all(
    outputs.map(output => new Promise<void>(resolve => output.once('close', () => resolve()))),
  );
  const exit = ended.then(async how => {
    stdin.destroy();
    const timer = clock.after(DRAIN_MS, dropOutputs, { keepAlive: true });
    await closed;
    timer.cancel();
    return how;
  });
  return {
    exit,
    async write(data) {
      if (stdin.destroyed || stdin.writableEnded || stdin.write(data)) return;
      await untilTaken(stdin);
    },
    end: () => stdin.end(),
    onOutput(listener) {
      slowedBy(listener, 'stdout', stdout);
      slowedBy(listener, 'stderr', stderr);
    },
    kill() {
      kill();
      dropOutputs();
    },
  };
}

/** No more is read from a stream than its listener takes. */
function slowedBy(listener: OutputListener, stream: 'stdout' | 'stderr', source: Socket): void {
  source.on('data', (data: Uint8Array) => {
    const taken = listener(stream, data);
    if (!(taken instanceof Promise)) return;
    source.pause();
    void taken.finally(() => source.resume());
  });
}
