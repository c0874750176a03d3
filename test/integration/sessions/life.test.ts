// The life of session sandboxes on real engines: leased, kept, resumed, reaped, swept (P4, P5, P9, P10).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { untilFile } from './use-gateways.ts';
import { type Gateway, type GatewayOptions, newHome, openGateway } from './world.ts';

const HOUR = 3_600_000;
const request = { purpose: 'run', actor: 'test:1' };

const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function started(
  environment: GatewayOptions['environment'],
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  const gateway = await openGateway({ home: await newHome(), environment, ...options });
  open.push(gateway);
  return gateway;
}

async function listed({ backend, world }: Gateway): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of backend.list(world.installation)) ids.push(id);
  return ids;
}

async function once(gateway: Gateway, chat: string, command: string, persistent = false) {
  await using lease = await gateway.sandboxes.lease(await gateway.session(chat), request);
  return { ...(await lease.exec(command, { persistent })), id: lease.sandboxId };
}

type Environment = () => GatewayOptions['environment'];

function ownLife(environment: Environment): void {
  it('gives each session a sandbox of its own, and the same one again', async () => {
    const gateway = await started(environment());
    const first = await once(gateway, 'a', 'echo secret >canary; pwd');
    expect(first).toMatchObject({ outcome: 'exited', exitCode: 0, notices: [] });
    expect((await once(gateway, 'a', 'cat canary')).id).toBe(first.id);
    expect((await once(gateway, 'b', 'true')).id).not.toBe(first.id);
  });

  it('P4: has a row before the sandbox, and none of it left after destroy', async () => {
    const gateway = await started(environment());
    const { id } = await once(gateway, 'a', 'true');
    const row = await gateway.world.store.ledger.find(id);
    expect(row).toMatchObject({ state: 'ready', name: `hermes-${id}` });
    // As the driver found it, for whoever asks which limits hold.
    const enforcement = gateway.sandboxes.life.handle(id)?.enforcement;
    expect(row?.enforcement).toEqual(expect.objectContaining({ cpus: expect.any(String) }));
    expect(row?.enforcement).toEqual(enforcement);
    expect((await gateway.world.store.ledger.enforcements()).get(row?.policyHash ?? '')).toEqual(enforcement);
    expect(await listed(gateway)).toEqual([id]);
    expect(await gateway.sandboxes.destroy(id)).toBe(true);
    expect(await listed(gateway)).toEqual([]);
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'gone' });
  });

  it('P5: reaps nothing under a lease, however old', async () => {
    const gateway = await started(environment());
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const running = lease.exec(`${untilFile('go')}; echo done`);
    gateway.age(100 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await gateway.sandboxes.destroy(lease.sandboxId)).toBe(false);
    await lease.exec('touch go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: 'done\n' });
    await lease.release();
  });
}

function idleLife(environment: Environment, canSuspend: boolean): void {
  it('retires what is idle for too long, and not before', async () => {
    const gateway = await started(environment());
    const { id } = await once(gateway, 'a', 'echo kept >note; cd /tmp; export X=5', true);
    gateway.age(HOUR / 2);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'ready' });
    gateway.age(HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    const retired = await gateway.world.store.ledger.find(id);
    expect(retired?.state).toBe(canSuspend ? 'suspended' : 'gone');
    if (!canSuspend) return;
    const again = await once(
      gateway,
      'a',
      'echo $X $PWD; cat ~-/note 2>/dev/null || cat /workspace/note',
      true,
    );
    expect(again).toMatchObject({ id, stdout: '5 /tmp\nkept\n' });
    gateway.age(8 * 24 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    await gateway.sweeper.sweep([gateway.backend.name]);
    gateway.age(8 * 24 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'gone' });
    expect(await listed(gateway)).toEqual([]);
  });

  it('keeps one alive in which something still runs', async () => {
    const gateway = await started(environment());
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('sleep 600');
    await lease.release();
    gateway.age(2 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await gateway.world.store.ledger.find(lease.sandboxId)).toMatchObject({ state: 'ready' });
    await process.kill();
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect((await gateway.world.store.ledger.find(lease.sandboxId))?.state).toBe(
      canSuspend ? 'suspended' : 'gone',
    );
  });
}

function reportLife(environment: Environment): void {
  it('P7: keeps the last lines of a background process, redacted before they are cut', async () => {
    const gateway = await started(environment());
    const { processes } = gateway.world.store;
    await using lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    // The cut would fall into the secret.
    const process = await lease.start(
      `printf 'hunter2%01497d' 0; until [ -e go ]; do sleep 0.05; done; exit 3`,
      {
        checkIntervalMs: 20,
      },
    );
    const lastOutput = `***${'0'.repeat(1497)}`;
    const running = { id: process.id, state: 'running' };
    await expect
      .poll(() => processes.untoldProgress(), { timeout: 60_000, interval: 20 })
      .toMatchObject([running]);
    await lease.exec('touch go');
    await expect.poll(() => processes.untold(), { timeout: 60_000, interval: 20 }).toHaveLength(1);
    expect(await processes.untold()).toMatchObject([
      { id: process.id, state: 'exited', code: 3, lastOutput },
    ]);
    expect(await processes.untoldProgress()).toEqual([]);
  });
}

function outstayedLife(environment: Environment, canSuspend: boolean): void {
  it('ends what runs in the background of one that is idle for longer than that keeps it', async () => {
    const gateway = await started(environment());
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.start('sleep 600');
    await lease.release();
    const { store } = gateway.world;
    gateway.age(23 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await store.ledger.find(lease.sandboxId)).toMatchObject({ state: 'ready' });
    gateway.age(2 * HOUR);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect((await store.ledger.find(lease.sandboxId))?.state).toBe(canSuspend ? 'suspended' : 'gone');
    expect(await store.processes.list(lease.sandboxId)).toMatchObject([{ state: 'ended' }]);
  });
}

function remnantLife(environment: Environment): void {
  it.each([true, false])(
    'P5: lists what a command left running, and keeps its sandbox (shell: %s)',
    async persistent => {
      const gateway = await started(environment());
      const { store } = gateway.world;
      await gateway.sweeper.sweep([gateway.backend.name]);
      const command = 'sleep 600 & echo hunter2';
      const { id } = await once(gateway, 'a', command, persistent);
      const listed = { state: 'running', command: 'sleep 600 & echo ***' };
      expect(await store.processes.list(id)).toMatchObject([listed]);
      // Also over a connection that knows nothing of the command.
      await gateway.sandboxes.life.letGo(id);
      gateway.age(2 * HOUR);
      await gateway.sweeper.sweep([gateway.backend.name]);
      expect(await store.ledger.find(id)).toMatchObject({ state: 'ready' });
      expect(await store.processes.list(id)).toMatchObject([listed]);
      const [process] = (await gateway.sandboxes.life.handle(id)?.processes()) ?? [];
      expect(process?.command).toBe(command);
      const ended = process?.wait();
      await process?.kill();
      expect(await ended).toEqual({ state: 'ended' });
      await gateway.sweeper.sweep([gateway.backend.name]);
      expect((await store.ledger.find(id))?.state).not.toBe('ready');
      expect(await store.processes.busySandboxes()).toEqual([]);
      // It was no service that somebody waits for.
      expect(await store.processes.untold()).toEqual([]);
    },
  );
}

function lossLife(environment: Environment): void {
  it('P10: makes it anew once when it is gone, and says so', async () => {
    const gateway = await started(environment());
    await using lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.exec('true');
    const before = lease.sandboxId;
    for await (const ref of gateway.backend.list(gateway.world.installation)) {
      await (gateway.backend.destroy?.(ref) ?? (await gateway.backend.attach(ref)).destroy());
    }
    const first = await lease.exec('echo one');
    const second = first.outcome === 'sandbox-lost' ? await lease.exec('echo two') : first;
    expect(second).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(second.notices.join()).toContain('reset');
    expect(lease.sandboxId).not.toBe(before);
  });

  it('P4: finds orphans and leftovers of a gateway that died, and leaves strangers alone', async () => {
    const home = await newHome();
    const first = await openGateway({ home, environment: environment() });
    const kept = await once(first, 'a', 'echo mine >note');
    const spec = { limits: {}, mounts: [], env: {}, persistent: true };
    const orphan = await first.backend.create({
      ...spec,
      id: 'orphan22orphan22',
      installation: first.world.installation,
    });
    const stranger = await first.backend.create({
      ...spec,
      id: 'strange2strange2',
      installation: 'somebody',
    });
    await first.world.store.ledger.enter({
      id: 'halfmade2halfmad',
      installation: first.world.installation,
      backend: first.backend.name,
      whenIdle: 'destroy',
      policyHash: 'x',
      policy: {},
      deadline: first.world.clock.now() + HOUR,
    });
    await first.drop();
    const second = await openGateway({ home, environment: environment() });
    open.push(second);
    const report = await second.sweeper.sweep([second.backend.name]);
    expect(report.problems).toEqual([]);
    expect(report.orphans).toEqual([orphan.ref.name]);
    expect(await listed(second)).toEqual([kept.id]);
    expect(await second.world.store.ledger.find('halfmade2halfmad')).toMatchObject({ state: 'gone' });
    expect(await once(second, 'a', 'cat note 2>/dev/null || echo none')).toMatchObject({ id: kept.id });
    const strangers: string[] = [];
    for await (const { id } of second.backend.list('somebody')) strangers.push(id);
    expect(strangers).toEqual([stranger.ref.id]);
    await (await second.backend.attach(stranger.ref)).destroy();
  });
}

function sharedLife(environment: Environment, canSuspend: boolean): void {
  it('waits for a place, in order, and the longest idle one makes room', async () => {
    const gateway = await started(environment(), { most: 2 });
    const a = await once(gateway, 'a', 'true');
    await once(gateway, 'b', 'true');
    const told: number[] = [];
    const waiting = await gateway.sandboxes.lease(await gateway.session('c'), {
      ...request,
      onWait: before => told.push(before),
    });
    await waiting.release();
    expect(told).toEqual([0]);
    expect((await gateway.world.store.ledger.find(a.id))?.state).toBe(canSuspend ? 'suspended' : 'gone');
  });

  it('hands out warm ones, each to one session', async () => {
    const gateway = await started(environment(), { warm: 2 });
    await gateway.sandboxes.fillWarmPool();
    const warm = (await gateway.world.store.ledger.list({ states: ['ready'] })).map(({ id }) => id);
    expect(warm).toHaveLength(2);
    const used = [await once(gateway, 'a', 'true'), await once(gateway, 'b', 'true')].map(({ id }) => id);
    expect(used.toSorted()).toEqual(warm.toSorted());
    await gateway.sandboxes.fillWarmPool();
    expect(await gateway.world.store.ledger.list({ states: ['ready'] })).toHaveLength(4);
  });

  it('writes every command into the audit, without secrets', async () => {
    const gateway = await started(environment());
    await once(gateway, 'a', 'echo hunter2; exit 3');
    expect(await gateway.world.store.audit.list({ limit: 10 })).toMatchObject([
      { actor: 'test:1', action: 'command', subject: 'echo ***; exit 3', outcome: 'started' },
      { actor: 'test:1', action: 'command', subject: 'echo ***; exit 3', outcome: 'exited 3' },
    ]);
  });
}

function lifeOf(environment: Environment, canSuspend: boolean): void {
  for (const tests of [ownLife, idleLife, outstayedLife, reportLife, remnantLife, lossLife, sharedLife])
    tests(environment, canSuspend);
}

describe('local', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'work-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  lifeOf(() => ({ TERMINAL_ENV: 'local', TERMINAL_CWD: folder }), false);
});

describeWith('bubblewrap', () => lifeOf(() => ({ TERMINAL_ENV: 'bubblewrap' }), true));

describeWith('image-bookworm', address =>
  lifeOf(
    () => ({
      TERMINAL_ENV: 'docker',
      DOCKER_HOST: address().docker.host,
      TERMINAL_DOCKER_IMAGE: address().image,
      TERMINAL_CONTAINER_MEMORY: '256',
    }),
    true,
  ),
);
