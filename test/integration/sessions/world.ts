// An installation of its own for a test of session sandboxes: real store, real drivers, a clock that tests can move.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../../src/backends/backend.ts';
import { backendFacts } from '../../../src/backends/index.generated.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { createBackend, loadHermesConfig } from '../../../src/compose.ts';
import { SessionSandboxes } from '../../../src/sessions/session-sandboxes.ts';
import { Sweeper } from '../../../src/sessions/sweeper.ts';
import type { SandboxWorld } from '../../../src/sessions/world.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Session } from '../../../src/store/sessions.ts';

export interface Gateway {
  readonly home: string;
  readonly world: SandboxWorld;
  readonly sandboxes: SessionSandboxes;
  readonly sweeper: Sweeper;
  readonly backend: Backend;
  session(chat: string): Promise<Session>;
  /** Moves the store's and the gateway's clock, which nothing but the age of things depends on. */
  age(ms: number): void;
  /** As after a crash: nothing is put in order, the next one finds what is left. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly most?: number;
  readonly warm?: number;
}

export async function newHome(): Promise<string> {
  return mkdtemp(join(homedir(), '.hermes-test-'));
}

export async function openGateway({
  home,
  environment,
  most = 10,
  warm = 0,
}: GatewayOptions): Promise<Gateway> {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset };
  const all = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment, HERMES_HOME: home };
  const config = await loadHermesConfig(all);
  const redact = (text: string): string => text.replaceAll('hunter2', '***');
  const patience = { onFailing: () => {}, onWorking: () => {} };
  const store = await openStore(home, { clock, redact, patience });
  const { id: installation } = await store.installation.read();
  const drivers = new Map<string, Promise<Backend>>();
  const backend = (name: string): Promise<Backend> => {
    const made = drivers.get(name) ?? createBackend(name, config, { environment: all });
    drivers.set(name, made);
    return made;
  };
  const world: SandboxWorld = {
    ...{ store, installation, config, backend, clock },
    facts: backendFacts,
    log: createLog({ level: 'silent', destination: { write() {} }, redact: line => line, now: clock.now }),
    holder: `gateway-${newId()}`,
    redact,
  };
  const sandboxes = new SessionSandboxes(world, { most, warm });
  const sweeper = new Sweeper(world, sandboxes);
  const drop = async (): Promise<void> => {
    await sweeper.stop();
    await sandboxes.life.close();
    for (const driver of drivers.values()) await (await driver).close();
    await store.close();
  };
  return {
    home,
    world,
    sandboxes,
    sweeper,
    backend: await backend(config.get('terminal.backend') ?? 'local'),
    session: chat => store.sessions.enter({ key: `test:${chat}`, kind: 'messaging', platform: 'test', chat }),
    age: ms => {
      offset += ms;
    },
    drop,
    async close() {
      await store.leases.dropOf(world.holder);
      for (const entry of await store.ledger.list()) await sandboxes.destroy(entry.id);
      await drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
