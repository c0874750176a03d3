// A whole machine's file tree in namespaces of its own: the root is really replaced (a plain chroot would forbid
// bubblewrap and Apptainer), changes go to a folder of the run, and all its processes end with it.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { type Argv, startDaemon, waitUntil } from './command.ts';
import { ordinaryUser } from './debian-root.ts';
import { NotAvailable, type ServiceContext } from './service.ts';

export interface Machine {
  /** Put before a command to run it inside as root. Killing the whole process group reaches the command inside. */
  readonly asRoot: Argv;
  /** The same as the ordinary user. */
  readonly asUser: Argv;
  /** The machine's file tree as seen from outside. */
  readonly rootDir: string;
  stop(): Promise<void>;
}

/** Arguments: the run's folder, shared under its own path; the folder to mount in; lower, upper and work of the overlay. */
const bringUp = `set -e
shared=$1 root=$2
mount -t overlay overlay -o "lowerdir=$3,upperdir=$4,workdir=$5" "$root"
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root$shared"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
node() { mknod -m 666 "$root/dev/$1" c "$2" "$3"; }
node null 1 3; node zero 1 5; node full 1 7; node random 1 8; node urandom 1 9; node tty 5 0; node fuse 10 229
mkdir -m 755 "$root/dev/pts"
mkdir -m 1777 "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount --rbind "$shared" "$root$shared"
cd "$root"
pivot_root . .
umount -l .
echo up
# bash as the first process collects orphans.
exec /bin/bash -c 'sleep infinity & wait'
`;

/** Starts a machine on an unpacked root, which is not written to. */
export async function startMachine(context: ServiceContext, lower: string): Promise<Machine> {
  if (process.getuid?.() !== 0) throw new NotAvailable('only root can make a machine of namespaces');
  const { unshare, nsenter } = await commandsOf(context, { unshare: 'util-linux', nsenter: 'util-linux' });
  const [root, upper, work] = [
    join(context.dir, 'root'),
    join(context.dir, 'upper'),
    join(context.dir, 'work'),
  ];
  for (const folder of [root, upper, work]) await mkdir(folder);
  const namespaces = ['--mount', '--propagation', 'slave', '--pid', '--fork', '--kill-child'];
  const paths = [context.runDir, root, lower, upper, work];
  const daemon = await startDaemon([unshare, ...namespaces, 'sh', '-c', bringUp, 'sh', ...paths], {
    logFile: join(context.dir, 'log'),
  });
  const stop = () => daemon.stop(0);
  try {
    await waitUntil(async () => (await readFile(daemon.logFile, 'utf8')).endsWith('up\n'), {
      what: 'the machine',
      timeoutMs: 60_000,
      daemon,
      signal: context.signal,
    });
    const children = await readFile(`/proc/${daemon.pid}/task/${daemon.pid}/children`, 'utf8');
    const first = children.trim();
    const asRoot = enter(nsenter, first, { HOME: '/root', USER: 'root' });
    const asUser = enter(nsenter, first, { HOME: ordinaryUser.home, USER: ordinaryUser.name });
    const drop = ['setpriv', `--reuid=${ordinaryUser.uid}`, `--regid=${ordinaryUser.uid}`, '--clear-groups'];
    return { asRoot, asUser: [...asUser, ...drop], rootDir: `/proc/${first}/root`, stop };
  } catch (error) {
    await stop();
    context.signal.throwIfAborted();
    throw new NotAvailable(`the kernel does not let us: ${String(error)}`, { cause: error });
  }
}

function enter(nsenter: string, pid: string, env: Readonly<Record<string, string>>): Argv {
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    nsenter,
    `--target=${pid}`,
    '--mount',
    '--pid',
    `--wdns=${env['HOME'] ?? '/'}`,
    'env',
    path,
    ...variables,
  ];
}
