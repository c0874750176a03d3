// What a sandbox of the Modal double really is: namespaces of bubblewrap around a folder that is its root file system.
// Without a network, whatever was asked for: no packet of a test leaves the machine.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../services/command.ts';

export interface ContainerOptions {
  readonly bwrap: string;
  /** Writable; becomes `/`. */
  readonly root: string;
  readonly command: readonly string[];
  readonly hasBash: boolean;
  /** Without them root in it has to respect permissions. */
  readonly hasCapabilities: boolean;
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

/** As an image has it; programs are those of this machine, bound read-only. */
export async function makeRoot(root: string): Promise<void> {
  for (const folder of ['etc', 'root', 'var', 'usr', 'proc', 'dev']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await mkdir(join(root, 'tmp'), { mode: 0o777 });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
}

/** All of it, as a snapshot of the service has it: what lies in it does not matter, so pipes of the channel come along. */
export async function copyRoot(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await runCommand(['cp', '-a', `${from}/.`, to]);
}

export class Container {
  /** Resolves with how its first process ended, when nothing of it is left. */
  readonly ended: Promise<number>;
  readonly #pid: number;
  readonly #rights: readonly string[];
  readonly #children = new Set<Child>();

  private constructor(first: ReturnType<typeof launch>, pid: number, { hasCapabilities }: ContainerOptions) {
    this.#pid = pid;
    this.#rights = hasCapabilities ? [] : ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
    this.ended = once(first, 'close').then(async ([code]) => {
      await Promise.all([...this.#children].map(closed));
      return Number(code ?? 137);
    });
  }

  static async start(options: ContainerOptions): Promise<Container> {
    const first = launch(options);
    const told = Promise.all([firstPid(first.info), once(first.stdout, 'data')]);
    const failed = once(first, 'close').then(async () => {
      throw new Error(`no sandbox: ${await text(first.stderr)}`);
    });
    // Heard of by then, or never.
    failed.catch(() => undefined);
    const [pid] = await Promise.race([told, failed]);
    return new Container(first, pid, options);
  }

  exec(argv: readonly string[], workdir: string): Child {
    const namespaces = ['--user', '--mount', '--pid', '--ipc', '--uts', '--net', '--preserve-credentials'];
    const enter = ['/bin/sh', '-c', 'cd -- "$1" || exit 126; shift; exec "$@"', 'exec', workdir];
    const args = [...namespaces, '--target', String(this.#pid), '--', ...this.#rights, ...enter, ...argv];
    const child = spawn('nsenter', args, {
      env: ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    child.stdin.on('error', () => child.stdin.destroy());
    return child;
  }

  /** Its first process takes all others along. */
  async kill(): Promise<void> {
    try {
      process.kill(this.#pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
    await this.ended;
  }
}

/** The first word of its first process, when all is set up around it. */
const READY = 'echo ready; exec >/dev/null; exec "$@"';

/** `info`: where bubblewrap tells the number of the first process, before it is set up. */
function launch({ bwrap, root, command, hasBash }: ContainerOptions) {
  const args = [
    ...['--unshare-all', '--unshare-user', '--uid', '0', '--gid', '0', '--die-with-parent'],
    ...['--bind', root, '/', '--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'],
    ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ...(hasBash ? [] : ['--ro-bind', '/dev/null', '/usr/bin/bash']),
    ...['--info-fd', '3', '--chdir', '/', '/bin/sh', '-c', READY, 'first', ...command],
  ];
  const child = spawn(bwrap, args, {
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('a child without its pipes');
  return Object.assign(child, { stdout, stderr, info: child.stdio[3] as Readable }); // it is only read
}

/** Bubblewrap's own words come in pieces. */
async function firstPid(info: Readable): Promise<number> {
  let said = '';
  for await (const piece of info) {
    said += String(piece);
    if (said.includes('}')) break;
  }
  return Number(/"child-pid": (\d+)/.exec(said)?.[1]);
}

async function closed(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await once(child, 'exit');
}

export async function removeRoot(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
