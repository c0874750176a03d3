// A second Docker engine, for tests that restart it, reach it over TCP with TLS, let it pull from a registry on loopback, or
// fill its disk: that is a small one of its own, which can limit containers where the kernel has btrfs.
import { mkdir, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandsOf } from './apt.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { cgroupsOf } from './cgroups.ts';
import { runCommand, startDaemon, waitUntil } from './command.ts';
import { type DockerAddress, dockerCommand } from './docker.ts';
import { isDockerAlive } from './docker-api.ts';
import { freePort } from './free-port.ts';
import type { ImageAddress } from './image.ts';
import { imageArchive, imageTag } from './image-archive.ts';
import { NotAvailable, type Service, type ServiceContext } from './service.ts';

/** Its image has bash and busybox. */
export interface LoopbackDockerAddress extends ImageAddress {
  /** For DOCKER_HOST. Answers only to those who have a certificate. */
  readonly tcp: string;
  /** For DOCKER_CERT_PATH. */
  readonly certificates: string;
  /** Holds the number of its process, which is started again whenever it ends. */
  readonly pidFile: string;
}

const DISK_MIB = 500;

/** Without loop devices or btrfs it stays in the plain folder. Starts the engine again as a system's service manager does. */
const SUPERVISOR = `mount -o loop "$1" "$2" || echo "no disk of its own"
shift 2
trap 'kill "$pid"; wait "$pid"; exit' TERM
while :; do "$@" & pid=$!; wait "$pid"; done`;

export const dockerLoopback: Service<LoopbackDockerAddress> = {
  name: 'docker-loopback',
  async start(context) {
    if (process.platform !== 'linux' || process.getuid?.() !== 0)
      throw new NotAvailable('only root can start an engine, on Linux');
    const programs = await commandsOf(context, {
      docker: 'docker.io',
      dockerd: 'docker.io',
      openssl: 'openssl',
      unshare: 'util-linux',
      'mkfs.btrfs': 'btrfs-progs',
    });
    const { server, client } = await makeCertificates(programs.openssl, context.dir);
    const paths = { dir: context.dir, cgroup: `/${context.runId}-loopback`, port: await freePort(), server };
    const engine = await flagsOf(paths);
    const apart = [programs.unshare, '--mount', '--propagation', 'slave'] as const;
    const disk = await makeDisk(programs['mkfs.btrfs'], context.dir);
    const argv = [...apart, 'sh', '-c', SUPERVISOR, 'sh', ...disk, programs.dockerd, ...engine] as const;
    const daemon = await startDaemon(argv, { logFile: join(context.dir, 'log') });
    const stop = async (): Promise<void> => {
      await daemon.stop(20_000);
      for (const group of await cgroupsOf(paths.cgroup.slice(1))) await rmdir(group);
      await rm(context.dir, { recursive: true, force: true });
    };
    try {
      const socket = join(context.dir, 's');
      const { signal } = context;
      await waitUntil(() => isDockerAlive(socket), { what: 'dockerd', timeoutMs: 60_000, daemon, signal });
      const docker = { socket, host: `unix://${socket}`, dockerCli: programs.docker };
      return {
        address: {
          docker,
          image: await loadImage(context, docker),
          tcp: `tcp://127.0.0.1:${paths.port}`,
          certificates: dirname(client.ca),
          pidFile: join(context.dir, 'pid'),
        },
        stop,
      };
    } catch (error) {
      await stop();
      context.signal.throwIfAborted();
      throw new NotAvailable(`the second engine does not come up: ${String(error)}`, { cause: error });
    }
  },
};

/** A file with an empty file system, and where it is to be mounted. */
async function makeDisk(mkfs: string, dir: string): Promise<[string, string]> {
  const [file, data] = [join(dir, 'disk'), join(dir, 'data')];
  await mkdir(data);
  await writeFile(file, '');
  await truncate(file, DISK_MIB * 1024 * 1024);
  await runCommand([mkfs, '--quiet', file]);
  return [file, data];
}

interface Paths {
  readonly dir: string;
  readonly cgroup: string;
  readonly port: number;
  readonly server: Certificates;
}

/** It touches nothing of this machine's network; its containers have none, or the loopback of their own. */
async function flagsOf({ dir, cgroup, port, server }: Paths): Promise<string[]> {
  const configFile = join(dir, 'daemon.json');
  await writeFile(configFile, '{}');
  return [
    ...['--bridge=none', '--iptables=false', '--ip-forward=false', '--ip-masq=false'],
    ...[
      `--data-root=${join(dir, 'data')}`,
      `--exec-root=${join(dir, 'exec')}`,
      `--pidfile=${join(dir, 'pid')}`,
    ],
    ...[`--host=unix://${join(dir, 's')}`, `--host=tcp://127.0.0.1:${port}`],
    ...['--tlsverify', `--tlscacert=${server.ca}`, `--tlscert=${server.cert}`, `--tlskey=${server.key}`],
    ...[
      `--config-file=${configFile}`,
      `--cgroup-parent=${cgroup}`,
      '--exec-opt=native.cgroupdriver=cgroupfs',
    ],
    ...['--shutdown-timeout=5', '--log-level=warn'],
  ];
}

async function loadImage(context: ServiceContext, docker: DockerAddress): Promise<string> {
  await dockerCommand(docker, 'load', '--quiet', '--input', await imageArchive(context, 'busybox'));
  return imageTag('busybox');
}
