// The column of the ssh backend: commands over a real sshd on loopback, with the limits that sshd has by itself.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startSshServer } from '../../integration/ssh/ssh-server.ts';
import { findCommand } from '../../services/command.ts';
import type { Column, Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';
import { unprivileged } from '../unprivileged.ts';

export const column: Column = {
  name: 'ssh',
  capabilities: {
    isolation: 'remote',
    ownProcesses: false,
    survivesGateway: true,
    suspend: false,
    snapshot: false,
    images: false,
    mounts: false,
    networks: ['open'],
  },
  required: true,
  quarter: 0,
  open: openGround,
};

async function openGround(): Promise<Ground> {
  const plantedSecret = randomBytes(16).toString('hex');
  const planted = { OPENAI_API_KEY: plantedSecret, PLANTED: plantedSecret, LC_PLANTED: plantedSecret };
  const server = await startSshServer();
  const bare = await startSshServer({ variables: { PATH: await programsWithoutBash(server.dir) } });
  const [backend, withoutBash] = [await server.backend({}, planted), await bare.backend()];
  return {
    backend,
    plantedSecret,
    spec: async () => ({ cwd: await mkdtemp(join(server.dir, 'work-')) }),
    processes: remoteProcesses,
    // Its shells may be writing there at the same time.
    removeFromOutside: ref =>
      rm(join(server.home, '.hermes-sandboxes', ref.name), {
        recursive: true,
        maxRetries: 20,
        retryDelay: 10,
      }),
    withoutBash,
    unprivileged: await unprivileged(backend),
    async close() {
      await Promise.all([backend.close(), withoutBash.close()]);
      await Promise.all([server.stop(), bare.stop()]);
    },
  };
}

/** The server is this machine, so the ssh client here, whose arguments repeat the command, has to be left out. */
async function remoteProcesses(text: string): Promise<readonly number[]> {
  const pids = await hostProcesses(text);
  const names = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return pids.filter((_, at) => names[at] !== 'ssh\n' && names[at] !== '');
}

const PROGRAMS = ['sh', 'env', 'cat', 'mkdir', 'mkfifo', 'mv', 'rm', 'rmdir', 'chmod', 'tr', 'grep', 'sleep'];

async function programsWithoutBash(dir: string): Promise<string> {
  const folder = join(dir, 'programs');
  await mkdir(folder);
  for (const name of PROGRAMS) {
    const path = await findCommand(name);
    if (path !== undefined) await symlink(path, join(folder, name));
  }
  return folder;
}
