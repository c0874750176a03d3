// A child of the gateway as a SandboxProcess: for the backends whose sandboxes are reached through a program here.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import type { OutputListener, ProcessExit, SandboxProcess } from './backend.ts';
import { untilTaken } from './until-taken.ts';

const DRAIN_MS = 200;

export interface ChildOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Child extends SandboxProcess {
  readonly pid: number;
}

/** Rejects with the system's error, such as ENOENT, when the program cannot be started. */
export async function startChild({ argv, cwd, env }: ChildOptions): Promise<Child> {
  const [program, ...args] = argv;
  // `detached` gives it a session of its own: the gateway's terminal and its signals do not reach it.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  return wrap(child);
}

function wrap(child: ChildProcessByStdio<Writable, Readable, Readable>): Child {
  const exit = new Promise<ProcessExit>(resolve => {
    child.once('close', (code, signal) => resolve(signal === null ? { code: code ?? 0 } : { signal }));
  });
  const dropPipes = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  // What it has started may hold its pipes for ever; its own output is long through them by then.
  child.once('exit', () => systemClock.after(DRAIN_MS, dropPipes));
  // A closed pipe shows as the process's exit; nobody has to hear of it twice.
  child.stdin.on('error', () => child.stdin.destroy());
  let pending: [stream: 'stdout' | 'stderr', data: Uint8Array][] | undefined = [];
  let listener: OutputListener = (stream, data) => void pending?.push([stream, data]);
  for (const stream of ['stdout', 'stderr'] as const) {
    const source = child[stream];
    source.on('data', (data: Uint8Array) => {
      const taken = listener(stream, data);
      if (!(taken instanceof Promise)) return;
      source.pause();
      void taken.finally(() => source.resume());
    });
  }
  return {
    pid: child.pid ?? 0,
    exit,
    write(data) {
      if (!child.stdin.writable || child.stdin.write(data)) return Promise.resolve();
      // Its input is closed when it ends.
      return untilTaken(child.stdin);
    },
    end: () => child.stdin.end(),
    onOutput(given) {
      listener = given;
      for (const [stream, data] of pending ?? []) void given(stream, data);
      pending = undefined;
    },
    kill() {
      child.kill('SIGKILL');
      dropPipes();
    },
  };
}
