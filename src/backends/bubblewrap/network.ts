// An open network for a sandbox: slirp4netns hands on the host's connections as an ordinary program would make them, so
// the sandbox has neither the host's loopback nor its sockets. It lives as long as the sandbox.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';

/** Where slirp4netns answers names. */
export const NAME_SERVER = '10.0.2.3';
export const NETWORK_PROGRAM = 'slirp4netns';

const READY_FD = 3;
const EXIT_FD = 4;
const READY_MS = 10_000;
const KEPT_STDERR = 2_048;

/**
 * Where the device can be opened by root alone, a user who has a right to it in the sandbox's network only could not
 * open it. The kernel itself asks for that right whoever opens it, and many systems let everybody.
 */
const OWN_DEVICE =
  'mount -t tmpfs -o mode=755 none /dev/net && mknod -m 666 /dev/net/tun c 10 200 && exec "$@"';

export interface NetworkOptions {
  /** The first process of the host in the network namespace. */
  readonly pid: number;
  /** Who the sandbox is on the host, where the gateway is root; the program is the same then. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Where programs are looked for. */
  readonly path: string;
  readonly clock: Clock;
}

export interface Uplink {
  readonly pid: number | undefined;
  /** Resolves when it has ended. */
  end(): Promise<void>;
}

/** The network did not come up. `said` is what the program said. */
export class NetworkFailed extends Error {
  override readonly name = 'NetworkFailed';
  readonly said: string;

  constructor(said: string, options?: ErrorOptions) {
    super('the network did not come up', options);
    this.said = said;
  }
}

/** Pure. */
export function networkCommand(
  options: Pick<NetworkOptions, 'pid' | 'user'>,
): readonly [string, ...string[]] {
  const { pid, user } = options;
  const program = [
    ...[NETWORK_PROGRAM, '--configure', '--mtu=65520', '--disable-host-loopback', '--enable-seccomp'],
    ...[`--ready-fd=${READY_FD}`, `--exit-fd=${EXIT_FD}`],
    ...[`--userns-path=/proc/${pid}/ns/user`, '--netns-type=path', `/proc/${pid}/ns/net`, 'tap0'],
  ];
  if (!user) return ['setpriv', '--no-new-privs', '--', ...program];
  const become = ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
  return [
    ...(['unshare', '--mount', '--', 'sh', '-c', OWN_DEVICE, 'hermes-network'] as const),
    ...['setpriv', ...become, '--no-new-privs', '--', ...program],
  ];
}

/** Resolves when the network can be used. Throws NetworkFailed; then nothing of it runs. */
export async function openNetwork(options: NetworkOptions): Promise<Uplink> {
  const [program, ...args] = networkCommand(options);
  const child = spawn(program, args, {
    env: { PATH: options.path },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const stream = (fd: number): Socket => child.stdio[fd] as Socket; // all of them are pipes
  let said = '';
  stream(2).setEncoding('utf8');
  stream(2).on('data', (text: string) => {
    said = (said + text).slice(-KEPT_STDERR);
  });
  const { ended, cause } = watch(child);
  const end = (): Promise<void> => {
    child.kill('SIGKILL');
    stream(EXIT_FD).destroy();
    return ended;
  };
  const timer = options.clock.after(READY_MS, () => void end(), { keepAlive: true });
  const isReady = await Promise.race([firstByte(stream(READY_FD)), ended.then(() => false)]);
  timer.cancel();
  if (isReady) return { pid: child.pid, end };
  await end();
  throw new NetworkFailed(said, { cause: cause() });
}

function watch(child: ChildProcess) {
  let cause: Error | undefined;
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      cause = error;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  return { ended, cause: () => cause };
}

function firstByte(stream: Socket): Promise<boolean> {
  return new Promise(resolve => {
    stream.once('data', () => resolve(true));
    stream.on('error', () => stream.destroy()); // shows as an early end
    stream.once('close', () => resolve(false));
  });
}
