// Podman as an engine that speaks Docker's API, with all its state in the run.
import { chmod, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { cgroupsOf } from './cgroups.ts';
import { startDaemon, waitUntil } from './command.ts';
import { type DockerAddress, dockerCommand, sweeper } from './docker.ts';
import { isDockerAlive } from './docker-api.ts';
import type { ImageAddress } from './image.ts';
import { imageArchive, imageTag } from './image-archive.ts';
import { NotAvailable, type Service, type ServiceContext } from './service.ts';

/** What Podman calls the control group of all its containers; it cannot be told another. */
const CGROUP = 'libpod_parent';

/** Its image has bash and busybox. */
export const podman: Service<ImageAddress> = {
  name: 'podman',
  async start(context) {
    if (process.platform !== 'linux' || process.getuid?.() !== 0)
      throw new NotAvailable('only root can start an engine, on Linux');
    const programs = await commandsOf(context, {
      podman: 'podman',
      runc: 'runc',
      catatonit: 'catatonit',
      docker: 'docker.io',
      unshare: 'util-linux',
      ip: 'iproute2',
    });
    const hadCgroups = (await cgroupsOf(CGROUP)).length > 0;
    const socket = join(context.dir, 's');
    const daemon = await startDaemon(await argvOf(context, programs), {
      logFile: join(context.dir, 'log'),
      env: { CONTAINERS_CONF: join(context.dir, 'containers.conf') },
    });
    const stop = async (): Promise<void> => {
      await daemon.stop();
      for (const group of hadCgroups ? [] : await cgroupsOf(CGROUP)) await rmdir(group);
      await rm(context.dir, { recursive: true, force: true });
    };
    try {
      const { signal } = context;
      await waitUntil(() => isDockerAlive(socket), { what: 'podman', timeoutMs: 60_000, daemon, signal });
      const docker: DockerAddress = { socket, host: `unix://${socket}`, dockerCli: programs.docker };
      await dockerCommand(docker, 'load', '--quiet', '--input', await imageArchive(context, 'busybox'));
      const address = { docker, image: imageTag('busybox') };
      return { address, sweep: await sweeper(socket, 'all'), stop };
    } catch (error) {
      await stop();
      context.signal.throwIfAborted();
      throw new NotAvailable(`it does not come up: ${String(error)}`, { cause: error });
    }
  },
};

/** With namespaces of its own, so that everything that it starts, mounts and locks goes with it. */
async function argvOf(
  { dir }: ServiceContext,
  programs: { unshare: string; podman: string; runc: string },
): Promise<[string, ...string[]]> {
  const runtime = join(dir, 'runtime');
  await writeFile(runtime, runtimeScript(programs.runc));
  await chmod(runtime, 0o755);
  // Else the watcher of every process in a container stays for five minutes after it.
  await writeFile(join(dir, 'containers.conf'), '[engine]\nexit_command_delay = 5\n');
  const flags = [
    ...['--root', join(dir, 'root'), '--runroot', join(dir, 'run'), '--tmpdir', join(dir, 'tmp')],
    ...['--cgroup-manager', 'cgroupfs', '--storage-driver', 'vfs', '--events-backend', 'file'],
    ...['--runtime', runtime, 'system', 'service', '--time=0', `unix://${join(dir, 's')}`],
  ];
  const namespaces = [
    '--mount',
    '--propagation',
    'slave',
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
  ];
  const script = 'ip link set lo up && mount -t tmpfs none /run && mount -t tmpfs none /dev/shm && exec "$@"';
  return [programs.unshare, ...namespaces, 'sh', '-c', script, 'sh', programs.podman, ...flags];
}

/** Podman asks for more processes per user than root without CAP_SYS_RESOURCE can give; that wish is left out. */
function runtimeScript(runc: string): string {
  return `#!/bin/sh
for word; do
  case $before in
    --bundle | -b) spec=$word/config.json ;;
    --process | -p) spec=$word ;;
  esac
  before=$word
done
[ ! -f "$spec" ] || sed -i 's/{"type":"RLIMIT_NPROC",[^}]*},\\{0,1\\}//; s/,\\]/]/' "$spec"
exec ${runc} "$@"
`;
}
