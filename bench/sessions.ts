// What sessions, ledger and audit add to a command, and how soon a new or suspended session can work again.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../src/base/log.ts';
import { loadHermesConfig, openInstallation } from '../src/compose.ts';
import type { SandboxLease } from '../src/sessions/lease.ts';
import { serveSandboxes } from '../src/sessions/serve.ts';
import { SessionSandboxes } from '../src/sessions/session-sandboxes.ts';
import { defineBench } from './bench.ts';
import { useEngine } from './docker.ts';
import { openRows } from './rows.ts';

const request = { purpose: 'bench', actor: 'bench' };
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

export const sessions = defineBench({
  title: 'Sessions on bubblewrap sandboxes',
  rounds: 25,
  burst: 4,
  needs: ['bubblewrap'],
  cases: {
    repeat: { name: 'a repeated command, two rows written' },
    lease: {
      name: 'the same under a lease, in ledger and audit',
      against: 'repeat',
      limit: 1.4,
      isShort: true,
    },
    claim: { name: 'claim from the warm pool to first result', against: 'repeat', limit: 6 },
  },
  async open() {
    const gateway = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' }, 1);
    const lease = await gateway.lease('steady');
    const rows = openRows(gateway.home);
    let claimed: SandboxLease | undefined;
    return {
      runs: {
        repeat: {
          run: async () => {
            await lease.handle.exec('echo hi');
            rows.write(2);
          },
        },
        lease: { run: () => lease.exec('echo hi') },
        claim: {
          before: () => gateway.sandboxes.fillWarmPool(),
          run: async () => {
            claimed = await gateway.lease();
            await claimed.exec('echo hi');
          },
          after: async () => {
            await claimed?.release();
            if (claimed) await gateway.sandboxes.destroy(claimed.sandboxId);
          },
        },
      },
      async close() {
        await lease.release();
        rows.close();
        await gateway.close();
      },
    };
  },
});

export const sessionsResume = defineBench({
  title: 'Suspended sessions on docker',
  rounds: 8,
  needs: ['image-bookworm'],
  cases: {
    client: { name: '`docker start`, `docker exec`' },
    resume: { name: 'resume, one command', against: 'client', limit: 1.8 },
  },
  async open(use) {
    const { image, docker } = await useEngine(use);
    const gateway = await openBenchGateway({ TERMINAL_ENV: 'docker', TERMINAL_DOCKER_IMAGE: image });
    const lease = await gateway.lease('resumed');
    await lease.exec('true');
    await lease.release();
    const reference = await gateway.lease('reference');
    const { name } = reference.handle.ref;
    let resumed: SandboxLease | undefined;
    return {
      runs: {
        client: {
          before: () => docker('stop', '-t', '0', name),
          run: async () => {
            await docker('start', name);
            await docker('exec', name, 'bash', '-c', 'echo hi');
          },
        },
        resume: {
          before: async () => {
            const entry = await gateway.world.store.ledger.find(lease.sandboxId);
            if (entry) await gateway.sandboxes.retire(entry);
          },
          run: async () => {
            resumed = await gateway.lease('resumed');
            await resumed.exec('echo hi');
          },
          after: () => resumed?.release(),
        },
      },
      async close() {
        await reference.release();
        await gateway.close();
      },
    };
  },
});

const OLD_SESSIONS = 10_000;

export const sessionsStart = defineBench({
  title: 'Start with many old sessions',
  about: 'Opening the store, the checks of the start and the first sweep.',
  rounds: 10,
  cases: {
    fresh: { name: 'no sessions' },
    old: { name: `${OLD_SESSIONS} old sessions`, against: 'fresh', limit: 4 },
  },
  async open() {
    const homes = await Promise.all([newHome(0), newHome(OLD_SESSIONS)]);
    const start = async (home: string): Promise<void> => {
      const { world, close } = await openAt(home, { TERMINAL_ENV: 'local' });
      const serving = await serveSandboxes(world, { home, pid: process.pid, memoryBytes: totalmem() });
      await serving.close();
      await close();
    };
    return {
      runs: { fresh: { run: () => start(homes[0]) }, old: { run: () => start(homes[1]) } },
      async close() {
        for (const home of homes) await rm(home, { recursive: true, force: true });
      },
    };
  },
});

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
