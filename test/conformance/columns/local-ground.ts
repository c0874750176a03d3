// The local backend made ready for the suite: an environment with a secret in it, folders of its own, and /proc to look
// at its processes from outside.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend } from '../../../src/backends/local/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Backend, SandboxSpec } from '../../../src/index.ts';
import { runVariable } from '../../services/leftovers.ts';
import type { Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';
import { unprivileged } from '../unprivileged.ts';

/** The programs that commands find. */
export interface LocalGroundOptions {
  readonly path: string;
}

export async function openLocalGround({ path }: LocalGroundOptions): Promise<Ground> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'conformance-')));
  const plantedSecret = randomBytes(16).toString('hex');
  const tmpDir = join(root, 'tmp');
  for (const folder of [tmpDir, join(root, 'home'), join(root, 'empty')]) await mkdir(folder);
  const make = (PATH: string): Promise<Backend> => makeBackend({ root, tmpDir, PATH, plantedSecret });
  const backend = await make(path);
  return {
    backend,
    plantedSecret,
    spec: async () => ({ cwd: await mkdtemp(join(root, 'work-')), env: runTag() }),
    processes: hostProcesses,
    // Its shells may be writing there at the same time.
    removeFromOutside: ref => rm(join(tmpDir, ref.name), { recursive: true, maxRetries: 20, retryDelay: 10 }),
    withoutBash: await make(join(root, 'empty')),
    unprivileged: await unprivileged(backend),
    close: () => rm(root, { recursive: true }),
  };
}

interface BackendParts {
  readonly root: string;
  readonly tmpDir: string;
  readonly PATH: string;
  readonly plantedSecret: string;
}

async function makeBackend({ root, tmpDir, PATH, plantedSecret }: BackendParts): Promise<Backend> {
  const HOME = join(root, 'home');
  const environment = {
    PATH,
    HOME,
    HERMES_HOME: HOME,
    LANG: 'C.UTF-8',
    OPENAI_API_KEY: plantedSecret,
    PLANTED: plantedSecret,
    BASH_FUNC_planted: plantedSecret,
  };
  return createBackend(await loadHermesConfig({ HOME, HERMES_HOME: HOME }), {
    environment,
    cwd: root,
    tmpDir,
    home: HOME,
    variable: () => undefined,
    progress: () => undefined,
    clock: systemClock,
  });
}

/** Lets the end of a test run find what a sandbox has left. */
function runTag(): SandboxSpec['env'] {
  const run = readEnvironment()[runVariable];
  return run === undefined ? {} : { [runVariable]: run };
}
