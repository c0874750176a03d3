// What the tests of the bubblewrap backend stand on: a home of their own, sandboxes in it, and a look from the host.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { topFolder } from '../../../src/backends/bubblewrap/folder.ts';
import { createBackend } from '../../../src/backends/bubblewrap/index.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
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
import { hostProcesses } from '../../conformance/host-processes.ts';
import { describeWith } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface Opened {
  readonly sandbox: Sandbox;
  readonly handle: SandboxHandle;
  /** The sandbox's folder on the host. */
  readonly folder: string;
  /** Standard output of a command that has to succeed. */
  run(command: string): Promise<string>;
}

export interface Ground {
  readonly backend: Backend;
  readonly home: string;
  /** The folder of all its sandboxes. */
  readonly top: string;
  create(spec?: Partial<SandboxSpec>): Promise<Sandbox>;
  open(spec?: Partial<SandboxSpec>): Promise<Opened>;
  enter(sandbox: Sandbox): Promise<Opened>;
  /** What the backend lists for an installation. */
  listed(installation: string): Promise<SandboxRef[]>;
  close(): Promise<void>;
}

/** `variables` are settings, as environment variables of the gateway. */
export async function openGround(variables: Readonly<Record<string, string>> = {}): Promise<Ground> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'bubblewrap-')));
  const backend = await makeBackend(home, variables);
  const top = topFolder(home, process.getuid?.() === 0);
  const create = (spec: Partial<SandboxSpec> = {}): Promise<Sandbox> =>
    backend.create({
      id: newId(),
      installation: 'test',
      limits: {},
      mounts: [],
      env: {},
      persistent: false,
      ...spec,
    });
  const enter = async (sandbox: Sandbox): Promise<Opened> => {
    const handle = await SandboxHandle.open({ sandbox, clock: systemClock, timeoutMs: PATIENCE_MS });
    const run = async (command: string): Promise<string> => {
      const { outcome, exitCode, stdout, stderr } = await handle.exec(command);
      if (outcome !== 'exited' || exitCode !== 0)
        throw new Error(`${command}: ${outcome} ${exitCode} ${stderr}`);
      return stdout.trim();
    };
    return { sandbox, handle, folder: join(top, sandbox.ref.name), run };
  };
  return {
    ...{ backend, home, top, create, enter },
    listed: async installation => {
      const refs: SandboxRef[] = [];
      for await (const ref of backend.list(installation)) refs.push(ref);
      return refs;
    },
    open: async spec => enter(await create(spec)),
    close: async () => {
      for await (const ref of backend.list('test')) await (await backend.attach(ref)).destroy();
      await backend.close();
      await rm(home, { recursive: true });
    },
  };
}

/** A group of tests with a ground of their own, which is there inside tests and hooks. */
export function describeGround(title: string, body: (ground: () => Ground) => void): void {
  describe(title, () => {
    describeWith('bubblewrap', () => {
      let ground: Ground | undefined;
      beforeAll(async () => {
        ground = await openGround();
      });
      afterAll(() => ground?.close());
      body(() => {
        if (!ground) throw new Error('the ground is there inside tests and hooks only');
        return ground;
      });
    });
  });
}

/** The same with one sandbox for all tests of the group. */
export function describeBox(title: string, body: (box: () => Opened, ground: () => Ground) => void): void {
  describeGround(title, ground => {
    let box: Opened | undefined;
    beforeAll(async () => {
      box = await ground().open();
    });
    body(() => {
      if (!box) throw new Error('the sandbox is there inside tests and hooks only');
      return box;
    }, ground);
  });
}

export async function makeBackend(
  home: string,
  variables: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<Backend> {
  const { PATH } = readEnvironment();
  const environment = { PATH, HOME: home, HERMES_HOME: home, ...variables };
  return createBackend(await loadHermesConfig(environment), {
    environment,
    cwd: home,
    tmpDir: tmpdir(),
    home,
    variable: () => undefined,
    progress: () => undefined,
    clock,
  });
}

/** The process of the host whose arguments contain the text; there must be one. */
export async function hostPid(text: string): Promise<number> {
  const [pid] = await hostProcesses(text);
  if (pid === undefined) throw new Error(`no process of this machine has ${text} in its arguments`);
  return pid;
}

export async function countHostProcesses(text: string): Promise<number> {
  return (await hostProcesses(text)).length;
}
