// What a run may rely on while it holds a sandbox, whatever happens to the gateway, the clock and the engine (P5, P10).
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HermesError } from '../../../src/base/errors.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import {
  type Gateways,
  HOUR,
  once,
  removeOutside,
  request,
  stateOf,
  untilFile,
  useGateways,
} from './use-gateways.ts';

/** However far its making had come. */
async function makeAndGiveUp({ started }: Gateways, backend: string): Promise<void> {
  const gateway = await started({ environment: { TERMINAL_ENV: backend } });
  for (let turns = 0; turns < 60; turns += 3) {
    const given = new AbortController();
    const leasing = gateway.sandboxes.lease(await gateway.session(`a${turns}`), {
      ...request,
      signal: given.signal,
    });
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    given.abort(new Error('given up'));
    const [taken] = await Promise.allSettled([leasing]);
    if (taken.status === 'rejected') continue;
    await taken.value.release();
    await gateway.sandboxes.destroy(taken.value.sandboxId);
  }
  const listed: string[] = [];
  for await (const { id } of gateway.backend.list(gateway.world.installation)) listed.push(id);
  expect(listed).toEqual([]);
  expect((await gateway.world.store.ledger.list()).filter(({ state }) => state !== 'gone')).toEqual([]);
}

function holding(gateways: Gateways): void {
  const { started } = gateways;

  it.each(['bubblewrap', 'local'])('P4: leaves nothing on %s when its making is given up', backend =>
    makeAndGiveUp(gateways, backend),
  );

  it('P5: keeps its lease when it could not be renewed in time', async () => {
    const gateway = await started();
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const running = lease.exec(`${untilFile('go')}; echo done`);
    gateway.age(100_000);
    await gateway.sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('leased');
    gateway.age(2 * HOUR);
    await gateway.sweeper.sweep(['bubblewrap']);
    await lease.exec('touch go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: 'done\n' });
    await lease.release();
    expect(await stateOf(gateway, lease.sandboxId)).toBe('ready');
  });

  it('P5: has its lease again when somebody took it for dead', async () => {
    const gateway = await started();
    const { store } = gateway.world;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    gateway.age(100_000);
    expect(await store.leases.dropExpired()).toHaveLength(1);
    await gateway.sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('leased');
    await lease.release();
    expect(await store.leases.list()).toEqual([]);
  });
}

function losing({ started }: Gateways): void {
  it('is replaced once for all commands that run into its loss, and nothing stays held', async () => {
    const gateway = await started();
    const { store } = gateway.world;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.exec('true');
    await removeOutside(gateway);
    await Promise.all([lease.exec('true'), lease.exec('true'), lease.exec('true')]);
    const results = await Promise.all([lease.exec('true'), lease.exec('true'), lease.exec('true')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['exited', 'exited', 'exited']);
    await lease.release();
    expect(await store.leases.list()).toEqual([]);
    expect(await store.ledger.list({ states: ['leased'] })).toEqual([]);
  });

  it('P10: runs no command again whose sandbox was lost under it', async () => {
    const gateway = await started();
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const begun = Promise.withResolvers<void>();
    const seen: string[] = [];
    const lost = lease.exec('echo begun; sleep 30', {
      onOutput: ({ data }) => {
        seen.push(Buffer.from(data).toString());
        begun.resolve();
      },
    });
    await within(begun.promise, 'the command to begin');
    await gateway.sandboxes.life.handle(lease.sandboxId)?.detach();
    expect(await within(lost, 'its result')).toMatchObject({ outcome: 'sandbox-lost' });
    expect(seen).toEqual(['begun\n']);
    await lease.release();
  });

  it('leaves the connection of another run alone when it ends', async () => {
    const gateway = await started();
    const session = await gateway.session('a');
    const [one, two] = [
      await gateway.sandboxes.lease(session, request),
      await gateway.sandboxes.lease(session, request),
    ];
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const lost = [one, two].map((lease, at) =>
      lease.exec('echo begun; sleep 30', { onOutput: () => begun[at]?.resolve() }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    await gateway.sandboxes.life.handle(one.sandboxId)?.detach();
    expect((await Promise.all(lost)).map(({ outcome }) => outcome)).toEqual(['sandbox-lost', 'sandbox-lost']);
    const again = Promise.withResolvers<void>();
    const running = two.exec(`echo begun; ${untilFile('go')}; echo fine`, {
      onOutput: () => again.resolve(),
    });
    await within(again.promise, 'the second command to begin');
    await one.release();
    await two.exec('touch go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: 'begun\nfine\n' });
    await two.release();
  });
}

function telling({ started, restarted }: Gateways): void {
  it('makes a lost one anew by what the session is switched to now', async () => {
    const gateway = await started();
    const { store } = gateway.world;
    const { id } = await gateway.session('a');
    await store.sessions.setNetwork(id, 'open');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.exec('true');
    await store.sessions.setNetwork(id, 'none');
    await removeOutside(gateway);
    await lease.exec('true');
    await lease.exec('true');
    expect(await store.ledger.find(lease.sandboxId)).toMatchObject({
      policy: { network: { value: 'none' } },
    });
    await lease.release();
  });

  it('has a row in the audit while a command runs, and its outcome afterwards', async () => {
    const gateway = await started();
    const { audit } = gateway.world.store;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const begun = Promise.withResolvers<void>();
    const running = lease.exec(`echo begun; ${untilFile('go')}`, { onOutput: () => begun.resolve() });
    await within(begun.promise, 'the command to begin');
    expect(await audit.list({ limit: 9 })).toMatchObject([{ action: 'command', outcome: 'started' }]);
    await lease.handle.exec('touch go');
    await running;
    await lease.release();
    expect(await audit.list({ limit: 9 })).toMatchObject([{ outcome: 'started' }, { outcome: 'exited 0' }]);
  });

  it('P10: says that a command could not be recorded, and does not hide that it ran', async () => {
    const gateway = await started();
    const audit = gateway.world.store.audit;
    const full = new HermesError('UNAVAILABLE_STORE_DISK', 'the disk is full');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const { append } = audit;
    Object.assign(audit, { append: () => Promise.reject(full) });
    const result = await lease.exec('echo ran');
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'ran\n' });
    expect(result.notices.join()).toContain('the disk is full');
    const background = await lease.start('sleep 60');
    Object.assign(audit, { append });
    expect(await background.poll()).toEqual({ state: 'running' });
    await lease.release();
  });

  it('P9: says that the sandbox was reset when its loss shows at its suspension', async () => {
    const gateway = await started();
    const { ledger } = gateway.world.store;
    const { id } = await once(gateway, 'a', 'true');
    await gateway.sandboxes.life.letGo(id);
    await removeOutside(gateway);
    const entry = await ledger.find(id);
    expect(entry && (await gateway.sandboxes.retire(entry))).toBe(false);
    expect((await once(gateway, 'a', 'true')).notices.join()).toContain('reset');
  });

  it('P9: says that the sandbox was reset, also after a restart', async () => {
    const gateway = await started();
    await once(gateway, 'a', 'echo precious >note');
    await removeOutside(gateway);
    expect((await gateway.sweeper.sweep(['bubblewrap'])).lost).toHaveLength(1);
    const second = await restarted(gateway);
    expect((await once(second, 'a', 'true')).notices.join()).toContain('reset');
    expect((await once(second, 'a', 'true')).notices).toEqual([]);
  });
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [holding, losing, telling]) tests(gateways);
});
