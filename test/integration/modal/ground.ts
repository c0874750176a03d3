// What the tests of the modal backend stand on: a protocol double of the cloud on loopback, the real SDK in front of it, and
// a look at what runs and is kept there.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createBackend } from '../../../src/backends/modal/index.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import {
  type Backend,
  type Sandbox,
  SandboxHandle,
  type SandboxRef,
  type SandboxSpec,
} from '../../../src/index.ts';
import { type ModalDouble, startModalDouble } from '../../doubles/modal-server.ts';
import { NotAvailable } from '../../services/service.ts';
import { useService } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface ModalGround {
  readonly double: ModalDouble;
  readonly home: string;
  readonly plantedSecret: string;
  /** The gateway's settings, as variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** What backends have told of their progress. */
  readonly told: string[];
  /** `variables` are settings, as environment variables of the gateway. */
  make(variables?: Readonly<Record<string, string>>, clock?: Clock): Promise<Backend>;
  close(): Promise<void>;
}

export interface GroundOptions {
  /** Each way. */
  readonly latencyMs?: number;
  /** Of the double. */
  readonly clock?: Clock;
}

export async function openModalGround(options: GroundOptions = {}): Promise<ModalGround> {
  const { bwrap } = await useService('bubblewrap');
  const root = await realpath(await mkdtemp(join(tmpdir(), 'modal-')));
  const [home, cloud] = [join(root, 'home'), join(root, 'cloud')];
  for (const folder of [home, cloud]) await mkdir(folder, { mode: 0o700 });
  const double = await startModalDouble({ dir: cloud, bwrap, ...options });
  const plantedSecret = randomBytes(16).toString('hex');
  const told: string[] = [];
  const backends: Backend[] = [];
  const settings = {
    ...{ HOME: home, HERMES_HOME: home, TERMINAL_MODAL_IMAGE: 'debian:bookworm' },
    ...{ MODAL_SERVER_URL: double.url },
    ...{ MODAL_TOKEN_ID: double.tokenId, MODAL_TOKEN_SECRET: double.tokenSecret },
  };
  const make = async (
    variables: Readonly<Record<string, string>> = {},
    clock: Clock = systemClock,
  ): Promise<Backend> => {
    const environment = { HOME: home, PLANTED: plantedSecret, OPENAI_API_KEY: plantedSecret };
    const backend = createBackend(await loadHermesConfig({ ...settings, ...variables }), {
      ...{ environment, cwd: home, tmpDir: tmpdir(), home, clock },
      variable: () => undefined,
      progress: text => told.push(text),
    });
    backends.push(backend);
    return backend;
  };
  return {
    ...{ double, home, plantedSecret, settings, told, make },
    async close() {
      await Promise.all(backends.map(backend => backend.close()));
      await double.close();
      await rm(root, { recursive: true });
      if (double.trespasses.length > 0)
        throw new Error(`sandboxes of others were to be ended: ${double.trespasses.join(', ')}`);
    },
  };
}

/** For the tests of a group. Where bubblewrap does not run there is none, and they do not run either. */
export function useGround(options: GroundOptions = {}): () => ModalGround {
  let ground: ModalGround | undefined;
  beforeAll(async () => {
    try {
      ground = await openModalGround(options);
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

export function newSpec(spec: Partial<SandboxSpec> = {}): SandboxSpec {
  return { id: newId(), installation: 'test', limits: {}, mounts: [], env: {}, persistent: false, ...spec };
}

export async function listed(
  backend: Backend,
  installation: string,
  signal?: AbortSignal,
): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation, signal ? { signal } : {})) refs.push(ref);
  return refs;
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
