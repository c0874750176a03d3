// What sessions, ledger and audit add to a command, and how soon a new or suspended session can work again.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLog } from '../src/base/log.ts';
import { loadHermesConfig, openInstallation } from '../src/compose.ts';
import type { SandboxLease } from '../src/sessions/lease.ts';
import { serveSandboxes } from '../src/sessions/serve.ts';
import { SessionSandboxes } from '../src/sessions/session-sandboxes.ts';
import type { Bench } from './bench.ts';

const run = promisify(execFile);
const request = { purpose: 'bench', actor: 'bench' };
const repeat = 'one repeat command';
let chats = 0;

async function openAt(home: string, settings: Readonly<Record<string, string | undefined>>) {
  const environment = { ...process.env, ...settings, HERMES_HOME: home };
  const log = createLog({
    level: 'silent',
    destination: { write() {} },
    redact: line => line,
    now: Date.now,
  });
  return openInstallation(await loadHermesConfig(environment), environment, { role: 'gateway', log });
}

/** An installation of its own; `warm` sandboxes are kept ready. */
export async function openBenchGateway(settings: Readonly<Record<string, string | undefined>>, warm = 0) {
  const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
  const { world, close } = await openAt(home, settings);
  const sandboxes = new SessionSandboxes(world, { most: 200, warm });
  const newSession = (chat = `chat${chats++}`) =>
    world.store.sessions.enter({ key: `bench:${chat}`, kind: 'messaging', platform: 'bench', chat });
  return {
    home,
    world,
    sandboxes,
    newSession,
    lease: async (chat?: string) => sandboxes.lease(await newSession(chat), request),
    async close() {
      await world.store.leases.dropOf(world.holder);
      for (const { id } of await world.store.ledger.list()) await sandboxes.destroy(id);
      await sandboxes.close();
      await close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export const sessions: Bench = {
  doc: 'Sessions on bubblewrap sandboxes',
  rounds: 30,
  warmUp: 3,
  async open() {
    const gateway = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' }, 1);
    const lease = await gateway.lease('steady');
    let claimed: SandboxLease | undefined;
    return {
      cases: [
        { name: repeat, run: () => lease.handle.exec('echo hi') },
        {
          name: 'the same under a lease, in ledger and audit',
          run: () => lease.exec('echo hi'),
          against: repeat,
          limit: { extraMs: 1 },
        },
        {
          name: 'claim from the warm pool to first result',
          before: () => gateway.sandboxes.fillWarmPool(),
          run: async () => {
            claimed = await gateway.lease();
            await claimed.exec('echo hi');
          },
          after: async () => {
            await claimed?.release();
            if (claimed) await gateway.sandboxes.destroy(claimed.sandboxId);
          },
          against: repeat,
          limit: { ratio: 5 },
        },
      ],
      async close() {
        await lease.release();
        await gateway.close();
      },
    };
  },
};

const clientStart = 'docker start, docker exec';

/** Needs an engine (DOCKER_HOST) and, in HERMES_BENCH_IMAGE, an image with bash that it has. */
export const sessionsResume: Bench = {
  doc: 'Resuming a suspended session on docker',
  rounds: 8,
  warmUp: 1,
  async open() {
    const image = process.env['HERMES_BENCH_IMAGE'];
    const gateway = await openBenchGateway({ TERMINAL_ENV: 'docker', TERMINAL_DOCKER_IMAGE: image });
    const lease = await gateway.lease('resumed');
    await lease.exec('true');
    await lease.release();
    const reference = await gateway.lease('reference');
    const { name } = reference.handle.ref;
    let resumed: SandboxLease | undefined;
    return {
      cases: [
        {
          name: clientStart,
          before: () => run('docker', ['stop', '-t', '0', name]),
          run: async () => {
            await run('docker', ['start', name]);
            await run('docker', ['exec', name, 'bash', '-c', 'echo hi']);
          },
        },
        {
          name: 'resume, one command',
          before: async () => {
            const entry = await gateway.world.store.ledger.find(lease.sandboxId);
            if (entry) await gateway.sandboxes.retire(entry);
          },
          run: async () => {
            resumed = await gateway.lease('resumed');
            await resumed.exec('echo hi');
          },
          after: async () => resumed?.release(),
          against: clientStart,
          limit: { ratio: 1.5 },
        },
      ],
      async close() {
        await reference.release();
        await gateway.close();
      },
    };
  },
};

const fresh = 'start, no sessions';
const OLD_SESSIONS = 10_000;

/** Opening the store, the checks of the start and the first sweep. */
export const sessionsStart: Bench = {
  doc: 'Start of a gateway with many old sessions',
  rounds: 8,
  warmUp: 1,
  async open() {
    const homes = await Promise.all([newHome(0), newHome(OLD_SESSIONS)]);
    const start = async (home: string): Promise<void> => {
      const { world, close } = await openAt(home, { TERMINAL_ENV: 'local' });
      const serving = await serveSandboxes(world, { home, pid: process.pid, memoryBytes: totalmem() });
      await serving.close();
      await close();
    };
    return {
      cases: [
        { name: fresh, run: () => start(homes[0]) },
        {
          name: `start, ${OLD_SESSIONS} old sessions`,
          run: () => start(homes[1]),
          against: fresh,
          limit: { extraMs: 1000 },
        },
      ],
      async close() {
        for (const home of homes) await rm(home, { recursive: true, force: true });
      },
    };
  },
};

async function newHome(count: number): Promise<string> {
  const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
  const { world, close } = await openAt(home, { TERMINAL_ENV: 'local' });
  await world.store.transaction(async ({ sessions: table, ledger }) => {
    for (let at = 0; at < count; at++) {
      const session = { key: `old:${at}`, kind: 'messaging', platform: 'old', chat: String(at) } as const;
      const { id: sessionId } = await table.enter(session);
      const id = `old${at}`;
      const shape = { whenIdle: 'destroy', policyHash: 'x', policy: {}, deadline: 0 } as const;
      await ledger.enter({ id, sessionId, installation: world.installation, backend: 'local', ...shape });
      await ledger.move(id, 'destroying');
      await ledger.move(id, 'gone');
    }
  });
  await close();
  return home;
}
