// A child of the gateway as a SandboxProcess: for the backends whose sandboxes are reached through a program here.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import type { ProcessExit, SandboxProcess } from './backend.ts';

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
  let closed = false;
  const exit = new Promise<ProcessExit>(resolve => {
    child.once('close', (code, signal) => {
      closed = true;
      resolve(signal === null ? { code: code ?? 0 } : { signal });
    });
  });
  const dropPipes = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  // What it has started may hold its pipes for ever; its own output is long through them by then.
  child.once('exit', () => systemClock.after(DRAIN_MS, dropPipes));
  // A closed pipe shows as the process's exit; nobody has to hear of it twice.
  child.stdin.on('error', () => child.stdin.destroy());
  return {
    pid: child.pid ?? 0,
    exit,
    async write(data) {
      if (closed || child.stdin.destroyed || child.stdin.write(data)) return;
      await Promise.race([once(child.stdin, 'drain'), once(child.stdin, 'close'), exit]);
    },
    end: () => child.stdin.end(),
    onOutput(listener) {
      child.stdout.on('data', (data: Uint8Array) => listener('stdout', data));
      child.stderr.on('data', (data: Uint8Array) => listener('stderr', data));
    },
    kill() {
      child.kill('SIGKILL');
      dropPipes();
    },
  };
}
