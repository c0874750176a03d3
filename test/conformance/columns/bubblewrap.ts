// The column of the bubblewrap backend: namespaces of this machine, with its own programs, and processes that are seen
// from outside them.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topFolder } from '../../../src/backends/bubblewrap/folder.ts';
import { createBackend } from '../../../src/backends/bubblewrap/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Backend, SandboxRef } from '../../../src/index.ts';
import { useService } from '../../services/use-service.ts';
import type { Column, Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';

export const column: Column = {
  name: 'bubblewrap',
  capabilities: {
    isolation: 'container',
    ownProcesses: true,
    survivesGateway: false,
    suspend: true,
    snapshot: false,
    images: false,
    mounts: true,
    networks: ['none', 'open'],
  },
  required: true,
  open: openGround,
};

async function openGround(): Promise<Ground> {
  await useService('bubblewrap');
  const root = await realpath(await mkdtemp(join(tmpdir(), 'bubblewrap-')));
  const home = join(root, 'home');
  const bare = join(root, 'bare');
  for (const folder of [home, bare, join(bare, 'etc'), join(bare, 'usr')]) await mkdir(folder);
  const plantedSecret = randomBytes(16).toString('hex');
  const make = (extra: Readonly<Record<string, string>> = {}) => makeBackend(home, plantedSecret, extra);
  const backend = await make();
  return {
    backend,
    plantedSecret,
    spec: async () => ({}),
    processes: hostProcesses,
    removeFromOutside: ref => removeFromOutside(home, ref),
    withoutBash: await make({ TERMINAL_BUBBLEWRAP_ROOT: bare }),
    // Nobody in a sandbox may pass over permissions.
    unprivileged: backend,
    close: async () => {
      await backend.close();
      await rm(root, { recursive: true });
    },
  };
}

async function makeBackend(
  home: string,
  plantedSecret: string,
  extra: Readonly<Record<string, string>>,
): Promise<Backend> {
  const { PATH } = readEnvironment();
  const environment = {
    PATH,
    HOME: home,
    HERMES_HOME: home,
    PLANTED: plantedSecret,
    OPENAI_API_KEY: plantedSecret,
  };
  return createBackend(await loadHermesConfig({ HOME: home, HERMES_HOME: home, ...extra }), {
    environment,
    cwd: home,
    tmpDir: tmpdir(),
    home,
    variable: () => undefined,
    progress: () => undefined,
    clock: systemClock,
  });
}

/** As somebody would who kills its processes and removes its folder. */
async function removeFromOutside(home: string, ref: SandboxRef): Promise<void> {
  const folder = join(topFolder(home, process.getuid?.() === 0), ref.name);
  const running = JSON.parse(await readFile(join(folder, 'running.json'), 'utf8')) as { pid: number }[]; // the driver's own file
  for (const { pid } of running.toReversed()) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 10 });
}
