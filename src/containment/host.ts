// The canaries on the machine that runs Hermes: a file, a process, listeners. A probe is judged by what happens to them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../base/ids.ts';
import { statOf } from './host-processes.ts';
import { type Listener, listenPath, listenTcp, listenUdp } from './listeners.ts';

export interface Addresses {
  /** This machine's own address besides loopback. */
  readonly lan?: string;
  /** Where clouds answer with credentials. */
  readonly metadata: string;
}

export interface HostOptions {
  /** Where canary files are put. */
  readonly tmpDir: string;
  readonly addresses: Addresses;
  /** A variable that was planted in the environment of the backend, and its value. */
  readonly planted: { readonly name: string; readonly value: string };
}

export interface Host {
  readonly addresses: Addresses;
  readonly planted: HostOptions['planted'];
  readonly folder: string;
  /** Readable for everybody; holds `secret`. */
  readonly file: string;
  readonly secret: string;
  readonly canary: CanaryProcess;
  readonly tcp: Listener | undefined;
  readonly tcp6: Listener | undefined;
  readonly lan: Listener | undefined;
  readonly udp: Listener | undefined;
  readonly resolver: Listener | undefined;
  readonly abstractSocket: Listener | undefined;
  readonly pathSocket: Listener | undefined;
  close(): Promise<void>;
}

/** A process of this machine with the planted variable in its environment. */
export interface CanaryProcess {
  readonly pid: number;
  /** Stands in its arguments. */
  readonly marker: string;
  /** Where its environment begins in its memory, and how long it is. */
  readonly environment: { readonly address: bigint; readonly length: number } | undefined;
  /** How often the harmless signal has reached it. */
  hits(): number;
}

/** SIGWINCH: a process that does not care for it ignores it, should the number of the canary be another's inside. */
export const HARMLESS_SIGNAL = 28;
const DNS_PORT = 53;

export async function openHost({ tmpDir, addresses, planted }: HostOptions): Promise<Host> {
  const folder = await realpath(await mkdtemp(join(tmpDir, 'hermes-canary-')));
  // Only the sandbox's walls may keep it out, not the modes of the canaries.
  await chmod(folder, 0o755);
  const file = join(folder, 'canary.txt');
  const secret = `canary-${newId()}`;
  await writeFile(file, secret);
  await chmod(file, 0o666);
  await mkdir(join(folder, 'sockets'));
  const { child, canary } = await startCanary(planted);
  const { lan } = addresses;
  const listeners = {
    tcp: await listenTcp('127.0.0.1'),
    tcp6: await listenTcp('::1'),
    lan: lan === undefined ? undefined : await listenTcp(lan),
    udp: await listenUdp('127.0.0.1', [0]),
    resolver: lan === undefined ? undefined : await listenUdp(lan, [DNS_PORT, 0]),
    abstractSocket: await listenPath(`\0hermes-canary-${newId()}`),
    pathSocket: await listenPath(join(folder, 'sockets', 's')),
  };
  return {
    addresses,
    planted,
    folder,
    file,
    secret,
    canary,
    ...listeners,
    close: async () => {
      for (const listener of Object.values(listeners)) await listener?.close();
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// It ends with its input, and so with this process, whatever happens.
const CANARY = `
process.on('SIGWINCH', () => process.stdout.write('hit'));
process.stdin.on('end', () => process.exit()).resume();
process.stdout.write('ready');`;

async function startCanary({
  name,
  value,
}: HostOptions['planted']): Promise<{ child: ChildProcess; canary: CanaryProcess }> {
  const marker = newId();
  const child = spawn(process.execPath, ['-e', CANARY, marker], {
    env: { [name]: value },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const fields = await statOf(pid);
  const [from, to] = [fields?.[50] ?? 0, fields?.[51] ?? 0];
  return {
    child,
    canary: {
      pid,
      marker,
      environment: to > from ? { address: BigInt(from), length: to - from } : undefined,
      hits: () => said.split('hit').length - 1,
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
