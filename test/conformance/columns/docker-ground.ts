// The docker backend made ready for the suite: containers of a test image, without network.
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend } from '../../../src/backends/docker/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import type { Backend } from '../../../src/index.ts';
import { dockerCommand } from '../../services/docker.ts';
import type { ImageAddress } from '../../services/image.ts';
import type { Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';

export interface DockerImages {
  readonly withBash: ImageAddress;
  readonly withoutBash: ImageAddress;
}

export async function openDockerGround({ withBash, withoutBash }: DockerImages): Promise<Ground> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'conformance-')));
  const plantedSecret = randomBytes(16).toString('hex');
  const make = ({ image, docker }: ImageAddress): Promise<Backend> =>
    makeBackend({ home, plantedSecret, image, host: docker.host });
  const backend = await make(withBash);
  const bare = await make(withoutBash);
  return {
    backend,
    plantedSecret,
    spec: async () => ({ network: 'none', limits: { memoryMiB: 512, cpus: 2 } }),
    processes: hostProcesses,
    removeFromOutside: async ref => void (await dockerCommand(withBash.docker, 'rm', '--force', ref.name)),
    withoutBash: bare,
    // Root in a container has no capabilities, so permissions hold for it.
    unprivileged: backend,
    close: async () => {
      await Promise.all([backend.close(), bare.close()]);
      await rm(home, { recursive: true });
    },
  };
}

interface BackendParts {
  readonly home: string;
  readonly plantedSecret: string;
  readonly image: string;
  readonly host: string;
}

async function makeBackend({ home, plantedSecret, image, host }: BackendParts): Promise<Backend> {
  const known = { HOME: home, HERMES_HOME: home, TERMINAL_DOCKER_IMAGE: image };
  return createBackend(await loadHermesConfig(known), {
    environment: {
      HOME: home,
      DOCKER_HOST: host,
      OPENAI_API_KEY: plantedSecret,
      PLANTED: plantedSecret,
    },
    cwd: home,
    tmpDir: home,
    home,
    variable: () => undefined,
    progress: () => undefined,
    clock: systemClock,
  });
}
