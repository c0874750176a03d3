// Runs a verification in namespaces made for it alone: mounts, processes, network and ipc are thrown away with it. The
// addresses of a network and of a cloud's metadata stand in it, so that no packet leaves the machine; /etc and /usr are
// copies on write.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VerifyReport } from '../../src/containment/verify.ts';
import type { SandboxSpec } from '../../src/index.ts';
import { type Argv, runCommand } from '../services/command.ts';
import { isCi } from '../services/required.ts';

/** Of the ranges for documentation and for links: they stand on the namespace's own loopback interface. */
export const LAN = '198.51.100.7';
export const METADATA = '169.254.169.254';

export interface VerifyRequest {
  /** A backend of the configuration, or `bare`, or `blind`. */
  readonly backend: string;
  readonly spec: Partial<SandboxSpec>;
  /** Absent = all. */
  readonly probes?: readonly string[];
  /** Variables that configure the backend. */
  readonly variables: Readonly<Record<string, string>>;
  /** Commands without the shell channel, by a naive protocol. */
  readonly isNaive: boolean;
  /** Where a double of a container engine listens. */
  readonly controlSocket?: string;
  readonly home: string;
  readonly report: string;
}

export interface ThrowawayOptions extends Partial<Pick<VerifyRequest, 'probes' | 'isNaive' | 'variables'>> {
  readonly backend: string;
  readonly spec?: Partial<SandboxSpec>;
  /** With a terminal of its own. */
  readonly hasTerminal?: boolean;
  /**
   * Which of this machine it gets a throwaway copy of: all of it, for what is not contained; or the network alone, its own
   * or the one of a process, for a backend that contains.
   */
  readonly apart?: 'everything' | 'network' | { readonly networkOf: number };
}

const program = fileURLToPath(new URL('./verify-program.ts', import.meta.url));
/** An interface with a way out that leads nowhere: what programs that hand on a network look for. */
const ROUTE = `ip link add v0 type veth peer name v1; ip link set v0 up; ip link set v1 up
ip addr add ${LAN}/24 dev v0 && ip route add default via ${LAN.replace(/\d+$/, '1')} dev v0`;
const ADDRESSES = `ip link set lo up; ip addr replace ${LAN}/32 dev lo; ip addr replace ${METADATA}/32 dev lo`;
const COPIES = `mount -t tmpfs none /run && for d in etc usr; do mkdir -p /run/$d/up /run/$d/work &&
mount -t overlay -o lowerdir=/$d,upperdir=/run/$d/up,workdir=/run/$d/work none /$d || exit; done`;
const LIMIT_MS = 170_000;

export async function verifyInThrowaway(options: ThrowawayOptions): Promise<VerifyReport> {
  const { backend, spec = {}, variables = {}, isNaive = false, probes, hasTerminal } = options;
  const { apart = 'everything' } = options;
  const home = await mkdtemp(join(tmpdir(), 'verify-'));
  const report = join(home, 'report.json');
  try {
    const request: VerifyRequest = {
      ...{ backend, spec, variables, isNaive, home, report },
      ...(probes === undefined ? {} : { probes }),
      ...(apart === 'everything' ? { controlSocket: '/run/docker.sock' } : {}),
    };
    const run = [process.execPath, program, JSON.stringify(request)];
    const inside = enter(apart, run);
    const argv: Argv = hasTerminal ? ['script', '-qec', quoted(inside), '/dev/null'] : inside;
    await runCommand(argv, { timeoutMs: LIMIT_MS });
    return JSON.parse(await readFile(report, 'utf8')) as VerifyReport; // written by the program
  } finally {
    await rm(home, { recursive: true, maxRetries: 10 });
  }
}

export function enter(apart: NonNullable<ThrowawayOptions['apart']>, run: readonly string[]): Argv {
  const setUp = {
    // The shell stays as process 1 of its namespace and collects what ends there.
    everything: `${ADDRESSES}; ${COPIES} && "$@"; exit`,
    network: `${ADDRESSES}; ${ROUTE}; exec "$@"`,
    theirs: `${ADDRESSES}; exec "$@"`,
  };
  const shell = (name: keyof typeof setUp): string[] => ['sh', '-c', setUp[name], 'sh', ...run];
  if (typeof apart === 'object')
    return ['nsenter', `--net=/proc/${apart.networkOf}/ns/net`, ...shell('theirs')];
  if (apart === 'network') return ['unshare', '--net', ...shell('network')];
  const more = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--uts'];
  return ['unshare', '--net', ...more, ...shell('everything')];
}

function quoted(argv: readonly string[]): string {
  return argv.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

/** Why this machine has no throwaway namespaces; undefined when it has. Throws in CI, where it must. */
export function whyNoThrowaway(): string | undefined {
  const why =
    process.platform !== 'linux'
      ? 'only Linux has namespaces'
      : process.getuid?.() === 0
        ? undefined
        : 'only root can make namespaces for everything';
  if (why !== undefined && isCi()) throw new Error(`not run: ${why}`);
  return why && `not run: ${why}`;
}
