// The ground under the doubles of cloud services: a small machine made of bubblewrap namespaces. It has process ids, a network
// (loopback only) and a writable root folder of its own; the programs are those of this machine, read-only. The folder outlives
// `stop`, processes do not.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { findCommand, runCommand } from '../services/command.ts';
import { NotAvailable } from '../services/service.ts';

export interface CloudMachineOptions {
  /** A folder to begin with, such as a `snapshot`; it is copied. Absent = a fresh system. */
  readonly root?: string;
  /** The only programs of `/usr/bin` that it has. Absent = all. `sh`, `env`, `sleep` and `setsid` are always there. */
  readonly programs?: readonly string[];
  /** Absent = `user`. The home folder is /home and this name. */
  readonly user?: string;
  /**
   * `owner`: the user may write everywhere, as root could. `user`: not into `/`, as a user of an image that is not root.
   * `sudoer`: neither, but with a `sudo` that asks for no password. Absent = `owner`.
   */
  readonly rights?: 'owner' | 'user' | 'sudoer';
}

export interface ExecOptions {
  /** All that the process sees; PATH and HOME are added unless they are given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent = the home folder. */
  readonly cwd?: string;
  /** On a pseudo-terminal, in its ordinary (cooked) mode: output of both kinds comes on `stdout`. */
  readonly pty?: boolean;
}

/** No process in it is root or has a capability; the user has the number 1000. */
export interface CloudMachine {
  /** The root folder as this machine sees it. */
  readonly root: string;
  isRunning(): boolean;
  /**
   * Starts a process; a missing program ends with 127, a missing folder with 2. It ends with the machine. A signal to the child is one
   * to a process outside that waits for it, so end processes from inside. Throws while the machine is stopped.
   */
  exec(argv: readonly [string, ...string[]], options?: ExecOptions): ChildProcessWithoutNullStreams;
  /** Ends every process in it; resolves when they are gone. The files stay. Idempotent. */
  stop(): Promise<void>;
  /** After `stop`: new namespaces on the same files. Idempotent. */
  start(): Promise<void>;
  /** A copy of its files, for `root` of another one; the caller removes it. */
  snapshot(): Promise<string>;
  /** `stop`, and the folder is removed. Idempotent. */
  destroy(): Promise<void>;
}

const USER = 1000;
const PATH = '/opt/bin:/usr/local/bin:/usr/bin:/bin';
/** What root could do in `/`, by the user who owns it and has given up the right to write there. */
const SUDO = `#!/bin/sh
[ "$1" = -n ] && shift
chmod u+w /
"$@"
code=$?
chmod u-w /
exit "$code"
`;
const ALWAYS = ['sh', 'env', 'sleep', 'setsid'];
/** What programs of this machine look up; everything else of /etc is its own. */
const ETC = ['alternatives', 'ld.so.cache', 'ssl', 'localtime'];
const PTY = join(import.meta.dirname, 'pty.pl');

/** A machine that runs. Throws `NotAvailable` where bubblewrap is missing. */
export async function openCloudMachine(options: CloudMachineOptions = {}): Promise<CloudMachine> {
  const parts = await Promise.all(['bwrap', 'nsenter', 'perl'].map(findCommand));
  const [bwrap, nsenter, perl] = parts;
  if (!bwrap || !nsenter || !perl) throw new NotAvailable('bubblewrap, nsenter or perl is missing');
  const root = await realpath(await mkdtemp(join(tmpdir(), 'cloud-')));
  const { user = 'user', rights = 'owner' } = options;
  if (options.root === undefined) await furnish(root, user, rights);
  else await cp(options.root, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const home = `/home/${user}`;
  const binds = await bindsOf(root, options.programs);
  const machine = new Machine({ programs: { bwrap, nsenter, perl }, root, home, binds });
  try {
    await machine.start();
  } catch (error) {
    await machine.destroy();
    throw error;
  }
  return machine;
}

interface Programs {
  readonly bwrap: string;
  readonly nsenter: string;
  readonly perl: string;
}

interface MachineParts {
  readonly programs: Programs;
  readonly root: string;
  readonly home: string;
  readonly binds: readonly string[];
}

class Machine implements CloudMachine {
  readonly root: string;
  readonly #programs: Programs;
  readonly #home: string;
  readonly #binds: readonly string[];
  #outer: ChildProcessWithoutNullStreams | undefined;
  /** Of its first process, as this machine sees it. */
  #first: number | undefined;

  constructor({ programs, root, home, binds }: MachineParts) {
    this.#programs = programs;
    this.root = root;
    this.#home = home;
    this.#binds = binds;
  }

  isRunning(): boolean {
    return this.#first !== undefined;
  }

  exec(argv: readonly [string, ...string[]], options: ExecOptions = {}): ChildProcessWithoutNullStreams {
    if (this.#first === undefined) throw new Error('the machine is stopped');
    const { env = {}, cwd = this.#home, pty = false } = options;
    const { nsenter, perl } = this.#programs;
    const enter = [
      nsenter,
      '-t',
      `${this.#first}`,
      '-U',
      '-m',
      '-p',
      '-i',
      '-u',
      '-n',
      '--preserve-credentials',
    ];
    // The session of the terminal has to begin inside, where its process group has a number.
    const session = pty ? ['setsid', '-c'] : [];
    const inside = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...session, ...argv];
    const [file = '', ...args] = [...(pty ? [perl, PTY] : []), ...enter, '--', ...inside];
    const child = spawn(file, args, { env: { PATH, HOME: this.#home, ...env }, cwd: '/' });
    // Whoever writes to one that has ended learns it from its exit.
    child.stdin.on('error', () => child.stdin.destroy());
    return child;
  }

  async start(): Promise<void> {
    if (this.#first !== undefined) return;
    const args = [...this.#binds, '--', '/bin/sh', '-c', 'echo ready; exec sleep infinity'];
    const outer = spawn(this.#programs.bwrap, args, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    const said = once(outer.stdout, 'data').then(String);
    const failed = once(outer, 'exit').then(() => '');
    // The fourth of `stdio` is a pipe, and bubblewrap closes it when it has said what there is to say.
    const info = text(outer.stdio[3] as Readable);
    if ((await Promise.race([said, failed])) === '')
      throw new NotAvailable(`bubblewrap makes no machine here: ${await text(outer.stderr)}`);
    // Documented by it.
    this.#first = (JSON.parse(await info) as { 'child-pid': number })['child-pid'];
    this.#outer = outer as ChildProcessWithoutNullStreams;
  }

  async stop(): Promise<void> {
    if (this.#first === undefined || !this.#outer) return;
    const [first, outer] = [this.#first, this.#outer];
    this.#first = undefined;
    const gone = once(outer, 'exit');
    if (outer.exitCode !== null || outer.signalCode !== null) return;
    // The kernel ends all others with the first one, and bubblewrap itself waits for that.
    process.kill(first, 'SIGKILL');
    await gone;
  }

  async snapshot(): Promise<string> {
    const copy = await mkdtemp(join(tmpdir(), 'cloud-copy-'));
    await cp(this.root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    return copy;
  }

  async destroy(): Promise<void> {
    await this.stop();
    if (!existsSync(this.root)) return;
    await runCommand(['chmod', '-R', 'u+rwX', this.root]);
    await rm(this.root, { recursive: true, force: true });
  }
}

async function bindsOf(root: string, programs: readonly string[] | undefined): Promise<readonly string[]> {
  const binds = ['--bind', root, '/', '--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'];
  if (programs) {
    binds.push('--tmpfs', '/usr/bin');
    for (const name of [...ALWAYS, ...programs]) {
      const path = await realpath(join('/usr/bin', name));
      binds.push('--ro-bind', path, join('/usr/bin', name));
    }
  }
  for (const name of ETC)
    if (existsSync(`/etc/${name}`)) binds.push('--ro-bind', `/etc/${name}`, `/etc/${name}`);
  return [
    ...['--unshare-user', '--unshare-all', '--uid', `${USER}`, '--gid', `${USER}`, '--cap-drop', 'ALL'],
    ...binds,
    ...['--ro-bind', '/proc/sys', '/proc/sys', '--clearenv', '--setenv', 'PATH', PATH, '--chdir', '/'],
    ...['--hostname', 'cloud', '--die-with-parent', '--new-session', '--info-fd', '3'],
  ];
}

/** The folders and files of a fresh system. */
async function furnish(root: string, user: string, rights: CloudMachineOptions['rights']): Promise<void> {
  const home = `home/${user}`;
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'])
    if (existsSync(`/${name}`)) await symlink(readlinkSync(`/${name}`), join(root, name));
  for (const name of ['usr', 'proc', 'dev', 'etc', 'run', 'opt/bin', 'var/tmp', home, 'tmp'])
    await mkdir(join(root, name), { recursive: true });
  for (const name of ['tmp', 'var/tmp']) await chmod(join(root, name), 0o1777);
  await writeFile(
    join(root, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\n${user}:x:${USER}:${USER}::/${home}:/bin/sh\n`,
  );
  await writeFile(join(root, 'etc/group'), `root:x:0:\n${user}:x:${USER}:\n`);
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  if (rights === 'sudoer') await writeFile(join(root, 'opt/bin/sudo'), SUDO, { mode: 0o755 });
  if (rights !== 'owner') await chmod(root, 0o555);
}
