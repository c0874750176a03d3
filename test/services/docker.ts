// A Docker engine: the developer's own if it answers, else one of our own from Debian with all its state in the run.
import { rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { cgroupsOf } from './cgroups.ts';
import { type Daemon, runCommand, startDaemon, waitUntil } from './command.ts';
import { isDockerAlive, listDocker, removeFromDocker } from './docker-api.ts';
import { NotAvailable, type Running, type Service, type ServiceContext } from './service.ts';

export interface DockerAddress {
  readonly socket: string;
  /** The same as a value for DOCKER_HOST. */
  readonly host: string;
  readonly dockerCli: string;
  /** Of our own engine only: its process, and the file that it reads again on SIGHUP. */
  readonly own?: { readonly pid: number; readonly configFile: string };
}

export const docker: Service<DockerAddress> = {
  name: 'docker',
  async start(context) {
    const foreign = await foreignSocket();
    return foreign ? useForeign(context, foreign) : startOwn(context);
  },
};

async function foreignSocket(): Promise<string | undefined> {
  const fromEnvironment = process.env['DOCKER_HOST']?.match(/^unix:\/\/(.*)$/)?.[1];
  for (const socket of [fromEnvironment, '/var/run/docker.sock']) {
    if (socket && (await isDockerAlive(socket))) return socket;
  }
  return undefined;
}

async function useForeign(context: ServiceContext, socket: string): Promise<Running<DockerAddress>> {
  const { docker: dockerCli } = await commandsOf(context, { docker: 'docker.io' });
  context.say(`using the engine that answers at ${socket}`);
  return {
    address: { socket, host: `unix://${socket}`, dockerCli },
    // Others work in that engine too: what the tests did not make is not ours to report or remove.
    sweep: await sweeper(socket, 'ours'),
    stop: async () => undefined,
  };
}

async function startOwn(context: ServiceContext): Promise<Running<DockerAddress>> {
  if (process.platform !== 'linux') throw new NotAvailable('no Docker engine answers; start one');
  const programs = await commandsOf(context, {
    docker: 'docker.io',
    dockerd: 'docker.io',
    iptables: 'iptables',
    ip: 'iproute2',
    unshare: 'util-linux',
  });
  if (process.getuid?.() !== 0)
    throw new NotAvailable('no Docker engine answers, and only root can start one');
  const socket = join(context.dir, 's');
  const configFile = join(context.dir, 'daemon.json');
  await writeFile(configFile, '{}');
  const cgroup = `/${context.runId}`;
  const daemon = await startDaemon(ownArgv(programs, { dir: context.dir, socket, configFile, cgroup }), {
    logFile: join(context.dir, 'log'),
  });
  const stop = () => stopOwn(context, daemon);
  try {
    await waitUntil(() => isDockerAlive(socket), {
      what: 'dockerd',
      timeoutMs: 60_000,
      daemon,
      signal: context.signal,
    });
    return {
      address: {
        socket,
        host: `unix://${socket}`,
        dockerCli: programs.docker,
        own: { pid: daemon.pid, configFile },
      },
      sweep: await sweeper(socket, 'all'),
      stop,
    };
  } catch (error) {
    await stop();
    context.signal.throwIfAborted();
    throw new NotAvailable(`our own engine does not come up: ${String(error)}`, { cause: error });
  }
}

interface OwnPaths {
  readonly dir: string;
  readonly socket: string;
  readonly configFile: string;
  readonly cgroup: string;
}

/**
 * Its own network namespace keeps bridges and firewall rules off this machine and containers off its network; its own
 * mount namespace takes every mount away with it, while folders mounted here later are still seen by containers.
 */
function ownArgv(programs: { unshare: string; dockerd: string }, paths: OwnPaths): [string, ...string[]] {
  const flags = [
    `--data-root=${join(paths.dir, 'data')}`,
    `--exec-root=${join(paths.dir, 'exec')}`,
    `--pidfile=${join(paths.dir, 'pid')}`,
    `--host=unix://${paths.socket}`,
    `--config-file=${paths.configFile}`,
    `--cgroup-parent=${paths.cgroup}`,
    '--exec-opt=native.cgroupdriver=cgroupfs',
    '--shutdown-timeout=5',
    '--log-level=warn',
  ];
  const script = 'ip link set lo up && exec "$@"';
  const namespaces = ['--mount', '--propagation', 'slave', '--net'];
  return [programs.unshare, ...namespaces, 'sh', '-c', script, 'sh', programs.dockerd, ...flags];
}

async function stopOwn(context: ServiceContext, daemon: Daemon): Promise<void> {
  await daemon.stop(20_000);
  for (const group of await cgroupsOf(context.runId)) await rmdir(group);
  await rm(context.dir, { recursive: true, force: true });
}

/** Remembers what is there now; the returned function removes what came since and says what it was. */
export async function sweeper(socket: string, whose: 'all' | 'ours'): Promise<() => Promise<string[]>> {
  const before = new Set((await listDocker(socket)).map(it => `${it.kind} ${it.id}`));
  return async () => {
    const came = (await listDocker(socket)).filter(it => !before.has(`${it.kind} ${it.id}`));
    const left = came.filter(it => whose === 'all' || it.isOurs);
    // Containers first: they hold volumes and networks.
    for (const it of left) await removeFromDocker(socket, it);
    return left.map(it => it.text);
  };
}

/** Runs the docker client against the engine, with nobody's own client settings. */
export async function dockerCommand(address: DockerAddress, ...args: string[]): Promise<string> {
  const env = { DOCKER_HOST: address.host, DOCKER_CONFIG: '/nonexistent' };
  return (await runCommand([address.dockerCli, ...args], { env, timeoutMs: 120_000 })).stdout;
}
