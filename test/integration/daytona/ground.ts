// A double of Daytona, and backends with the real clients against it.
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createBackend } from '../../../src/backends/daytona/index.ts';
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
import { type DaytonaDouble, startDaytona } from '../../doubles/daytona-server.ts';
import { NotAvailable } from '../../services/service.ts';
import { useService } from '../../services/use-service.ts';

export interface DaytonaGround {
  readonly double: DaytonaDouble;
  readonly plantedSecret: string;
  readonly home: string;
  /** The variables that lead a gateway to the double. */
  readonly variables: Readonly<Record<string, string>>;
  /** What backends have told the operator. */
  readonly notes: readonly string[];
  /** A backend against the double, with these variables besides; one that is undefined is taken away. */
  make(added?: Readonly<Record<string, string | undefined>>, clock?: Clock): Promise<Backend>;
  close(): Promise<void>;
}

/** `clock`: of the double. */
export async function openDaytonaGround({ clock }: { clock?: Clock } = {}): Promise<DaytonaGround> {
  await useService('bubblewrap');
  const home = await realpath(await mkdtemp(join(tmpdir(), 'daytona-')));
  const double = await startDaytona(clock ? { clock } : {});
  const plantedSecret = randomBytes(16).toString('hex');
  const notes: string[] = [];
  const variables = { DAYTONA_API_KEY: double.key, DAYTONA_API_URL: double.apiUrl };
  return {
    variables,
    double,
    plantedSecret,
    home,
    notes,
    async make(added = {}, ofBackend = systemClock) {
      const settings = { HOME: home, HERMES_HOME: home, ...variables, ...added };
      return createBackend(await loadHermesConfig(settings), {
        environment: { HOME: home, PLANTED: plantedSecret, OPENAI_API_KEY: plantedSecret },
        cwd: home,
        tmpDir: tmpdir(),
        home,
        variable: () => undefined,
        progress: text => notes.push(text),
        clock: ofBackend,
      });
    },
    async close() {
      await double.close();
      await rm(home, { recursive: true });
      if (double.trespasses.length > 0)
        throw new Error(`sandboxes of others were changed: ${double.trespasses.join(', ')}`);
    },
  };
}

/** For a group of tests: one double for all of them. */
export function useGround(options: { clock?: Clock } = {}): () => DaytonaGround {
  let ground: DaytonaGround | undefined;
  beforeAll(async () => {
    try {
      ground = await openDaytonaGround(options);
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
  return { id: newId(), installation: 'test', limits: {}, mounts: [], env: {}, persistent: true, ...spec };
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
  const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
  try {
    const { outcome, exitCode, stdout, stderr } = await handle.exec(command);
    if (outcome !== 'exited' || exitCode !== 0)
      throw new Error(`${command}: ${outcome} ${exitCode} ${stderr}`);
    return stdout.trim();
  } finally {
    await handle.detach();
  }
}
