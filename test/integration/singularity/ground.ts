// What the tests of the singularity backend stand on: Apptainer in a machine of its own, a scratch folder that belongs to
// its ordinary user, and a look from the host. The tests themselves run as root, outside of that machine.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createBackend } from '../../../src/backends/singularity/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import {
  type Backend,
  type Sandbox,
  SandboxHandle,
  type SandboxRef,
  type SandboxSpec,
} from '../../../src/index.ts';
import type { ApptainerAddress } from '../../services/apptainer.ts';
import { runCommand } from '../../services/command.ts';
import { NotAvailable } from '../../services/service.ts';
import { useService } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';

/** Of the machine's ordinary user. */
export const USER = 1000;

export interface SingularityGround {
  readonly address: ApptainerAddress;
  readonly plantedSecret: string;
  /** Belongs to the ordinary user. */
  readonly scratch: string;
  /** The folder of all sandboxes. */
  readonly top: string;
  readonly home: string;
  /** The gateway's environment, and its settings as variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  /** What backends have told of their progress. */
  readonly told: string[];
  /** `variables` are settings, as environment variables of the gateway. */
  make(variables?: Readonly<Record<string, string>>): Promise<Backend>;
  /** A folder of busybox alone, without bash. */
  imageWithoutBash(): Promise<string>;
  removeFromOutside(ref: SandboxRef): Promise<void>;
  close(): Promise<void>;
}

/** For the tests of a group. Where Apptainer does not run there is none, and they do not run either. */
export function useGround(): () => SingularityGround {
  let ground: SingularityGround | undefined;
  beforeAll(async () => {
    try {
      ground = await openSingularityGround();
    } catch (error) {
      if (!(error instanceof NotAvailable)) throw error;
    }
  });
  afterAll(() => ground?.close());
  return () => {
    if (!ground) throw new Error('the ground is there inside tests only');
    return ground;
  };
}

export async function openSingularityGround(): Promise<SingularityGround> {
  const address = await useService('apptainer');
  const root = await realpath(await mkdtemp(join(tmpdir(), 'singularity-')));
  await chmod(root, 0o755);
  const [home, scratch] = [join(root, 'home'), join(root, 'scratch')];
  for (const folder of [home, scratch]) await mkdir(folder);
  await chown(scratch, USER, USER);
  const top = join(scratch, 'hermes-singularity');
  const plantedSecret = randomBytes(16).toString('hex');
  const told: string[] = [];
  const path = `${dirname(address.apptainer)}:${readEnvironment()['PATH'] ?? ''}`;
  const environment = {
    ...{ PATH: path, HOME: home, HERMES_HOME: home },
    ...{ PLANTED: plantedSecret, OPENAI_API_KEY: plantedSecret, APPTAINERENV_PLANTED: plantedSecret },
  };
  const settings = {
    ...{ HOME: home, HERMES_HOME: home },
    ...{ TERMINAL_SCRATCH_DIR: scratch, TERMINAL_SINGULARITY_IMAGE: address.sif },
  };
  const make = async (variables: Readonly<Record<string, string>> = {}): Promise<Backend> => {
    return createBackend(await loadHermesConfig({ ...settings, ...variables }), {
      ...{ environment: { ...environment, ...variables }, cwd: home, tmpDir: tmpdir(), home },
      variable: () => undefined,
      progress: text => told.push(text),
      clock: systemClock,
    });
  };
  return {
    ...{ address, plantedSecret, home, scratch, top, environment, settings, told, make },
    imageWithoutBash: () => folderWithoutBash(address, join(scratch, 'nobash')),
    removeFromOutside: ref => removeFromOutside(join(top, ref.name)),
    close: () => rm(root, { recursive: true }),
  };
}

/** As an operator makes a folder of an image, and then takes bash out of it. */
async function folderWithoutBash({ asUser, archive }: ApptainerAddress, folder: string): Promise<string> {
  const env = { APPTAINER_TMPDIR: dirname(folder), APPTAINER_CACHEDIR: join(dirname(folder), 'cache') };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const build = ['apptainer', 'build', '--sandbox', folder, `docker-archive:${archive}`];
  await runCommand([...asUser, 'env', ...variables, ...build], { timeoutMs: 60_000 });
  for (const bash of ['bin/bash', 'usr/bin/bash']) await rm(join(folder, bash), { force: true });
  return folder;
}

/** As somebody would who kills its processes and removes its folder. */
async function removeFromOutside(folder: string): Promise<void> {
  const running = JSON.parse(await readFile(join(folder, 'running.json'), 'utf8')) as {
    first: { pid: number };
  }; // the driver's own file
  process.kill(running.first.pid, 'SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 10 });
}

export async function listed(backend: Backend, installation: string): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation)) refs.push(ref);
  return refs;
}

/** The folders of sandboxes. */
export function sandboxFolders({ top }: SingularityGround): string[] {
  return readdirSync(top).filter(name => name.startsWith('hermes-'));
}

export function newSpec(spec: Partial<SandboxSpec> = {}): SandboxSpec {
  return { id: newId(), installation: 'test', limits: {}, mounts: [], env: {}, persistent: false, ...spec };
}

/** Standard output of a command that has to succeed. */
export async function runIn(sandbox: Sandbox, command: string): Promise<string> {
  const handle = await SandboxHandle.open({ sandbox, clock: systemClock, timeoutMs: PATIENCE_MS });
  try {
    const { outcome, exitCode, stdout, stderr } = await handle.exec(command);
    if (outcome !== 'exited' || exitCode !== 0)
      throw new Error(`${command}: ${outcome} ${exitCode} ${stderr}`);
    return stdout.trim();
  } finally {
    await handle.detach();
  }
}
