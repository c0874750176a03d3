// Places for sandboxes: none is lost, nobody waits beside a free one, and what runs keeps its own (P5).
import { expect, it } from 'vitest';
import { HermesError } from '../../../src/base/errors.ts';
import { SandboxLife } from '../../../src/sessions/life.ts';
import type { LedgerEntry } from '../../../src/store/ledger.ts';
import { hostProcessesOf } from '../../conformance/host-processes.ts';
import { describeWith } from '../../services/use-service.ts';
import { PATIENCE_MS, until, within } from '../../wait.ts';
import { type Gateways, HOUR, once, request, stateOf, useGateways } from './use-gateways.ts';
import type { Gateway } from './world.ts';

/** So that a test that waits for ever says so early. */
const soon = () => ({ ...request, signal: AbortSignal.timeout(PATIENCE_MS) });

async function ledgerEntry({ world }: Gateway, id: string): Promise<LedgerEntry> {
  return (await world.store.ledger.find(id)) as LedgerEntry; // of one that the test has just made
}

function warmOnes({ started, troubled }: Gateways): void {
  it('destroys unused warm ones when room is needed, and keeps none of them suspended', async () => {
    const gateway = await started({ most: 2, warm: 1 });
    const { store } = gateway.world;
    await gateway.sandboxes.fillWarmPool();
    const [warm] = await store.ledger.list({ states: ['ready'] });
    expect(warm?.sessionId).toBeNull();
    // Another network than the default, so that the warm one fits neither.
    const leases = ['a', 'b'].map(async chat => {
      const { id } = await gateway.session(chat);
      await store.sessions.setNetwork(id, 'open');
      return gateway.sandboxes.lease(await gateway.session(chat), soon());
    });
    for (const lease of await Promise.all(leases)) await lease.release();
    expect(await stateOf(gateway, warm?.id ?? '')).toBe('gone');
  });

  it('removes suspended ones that are nobody’s', async () => {
    const gateway = await started();
    const policy = (await ledgerEntry(gateway, (await once(gateway, 'a', 'true')).id)).policy as never;
    const warm = await gateway.sandboxes.life.make({ policy });
    await gateway.sandboxes.life.suspend(await ledgerEntry(gateway, warm.id));
    await gateway.sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, warm.id)).toBe('gone');
  });

  it('sweeps without waiting for the warm pool, and gives up its making in the end', async () => {
    const gateway = await started();
    const begun = Promise.withResolvers<void>();
    const slow = troubled(
      gateway,
      {
        create:
          () =>
          (_spec, { signal } = {}) => {
            begun.resolve();
            return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
          },
      },
      1,
    );
    expect(await slow.sweeper.sweep(['bubblewrap'])).toMatchObject({ problems: [] });
    await within(begun.promise, 'the command to begin');
    await slow.sandboxes.close();
    expect((await gateway.world.store.ledger.list()).map(({ state }) => state)).toEqual(['gone']);
  });

  it('makes another warm one when one was claimed', async () => {
    const gateway = await started({ warm: 1 });
    await gateway.sandboxes.fillWarmPool();
    const claimed = await once(gateway, 'a', 'true');
    const unused = async () => {
      const ready = await gateway.world.store.ledger.list({ states: ['ready'] });
      return ready.filter(({ id }) => id !== claimed.id);
    };
    await expect.poll(unused).toMatchObject([{ sessionId: null }]);
  });

  it('P4: takes nothing for lost when an engine knows none of many', async () => {
    const gateway = await started();
    const made = [];
    for (const chat of ['a', 'b', 'c']) made.push(await once(gateway, chat, 'echo precious >note'));
    // As with another engine at the same address, or a folder that is not mounted.
    const elsewhere = troubled(gateway, { list: () => async function* () {} });
    const report = await elsewhere.sweeper.sweep(['bubblewrap']);
    expect(report.lost).toEqual([]);
    expect(report.problems.join()).toContain('none of the 3');
    await gateway.sweeper.sweep(['bubblewrap']);
    for (const [at, chat] of ['a', 'b', 'c'].entries()) {
      expect(await once(gateway, chat, 'cat note')).toMatchObject({ id: made[at]?.id, stdout: 'precious\n' });
    }
  });
}

function places({ started, restarted }: Gateways): void {
  it('gives the place back of what a command of the operator has suspended', async () => {
    const first = await started();
    const { id } = await once(first, 'a', 'true');
    const gateway = await restarted(first, { most: 1 });
    await gateway.sweeper.sweep(['bubblewrap']);
    const cli = new SandboxLife({ ...gateway.world, holder: 'cli-1' });
    expect(await cli.suspend(await ledgerEntry(gateway, id))).toBe(true);
    await gateway.sweeper.sweep(['bubblewrap']);
    const lease = await gateway.sandboxes.lease(await gateway.session('b'), soon());
    await lease.release();
  });

  it('serves who waits when a background process ends', async () => {
    const gateway = await started({ most: 1 });
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.start('exec sleep 60047');
    await lease.release();
    const waiting = gateway.sandboxes.lease(await gateway.session('b'), soon());
    // From outside: its sandbox goes to whoever waits before a handle could hear of the end.
    const running = () => hostProcessesOf('sleep 60047');
    await until(async () => (await running()).length > 0, 'it runs');
    for (const pid of await running()) process.kill(pid);
    await (await waiting).release();
  });

  it('goes on with others when one does not answer, and stays alive', async () => {
    const gateway = await started({ most: 2 });
    const mute = await once(gateway, 'a', 'true');
    const other = await once(gateway, 'b', 'true');
    const handle = gateway.sandboxes.life.handle(mute.id);
    const silence = () => Promise.reject(new HermesError('UNAVAILABLE_BACKEND', 'the engine is away'));
    Object.assign(handle ?? {}, { processes: silence });
    const lease = await gateway.sandboxes.lease(await gateway.session('c'), soon());
    await lease.release();
    expect(await stateOf(gateway, other.id)).toBe('suspended');
    gateway.age(2 * HOUR);
    const report = await gateway.sweeper.sweep(['bubblewrap']);
    expect(report.problems.join()).toContain('the engine is away');
    expect(report.suspended).toHaveLength(1);
    expect(await stateOf(gateway, mute.id)).toBe('ready');
  });

  it('sweeps on whatever somebody writes into the folders of the channel', async () => {
    const gateway = await started();
    const lease = await gateway.sandboxes.lease(await gateway.session('evil'), request);
    await lease.start('true');
    const made = await lease.exec(`cd /run/hermes/channel/jobs && mkdir not-a-job empty && : >file &&
      mkdir pipe && mkfifo pipe/command && ls`);
    expect(made.stdout).toContain('not-a-job');
    await lease.release();
    const victim = await once(gateway, 'victim', 'true');
    gateway.age(2 * HOUR);
    const report = await gateway.sweeper.sweep(['bubblewrap']);
    expect(report.problems).toEqual([]);
    expect(await stateOf(gateway, victim.id)).toBe('suspended');
    expect(await stateOf(gateway, lease.sandboxId)).toBe('suspended');
  });
}

function retiring({ started, troubled }: Gateways): void {
  it('P5: destroys nothing that was used since it was looked at', async () => {
    const gateway = await started();
    for (const chat of ['a', 'b']) {
      const { id } = await once(gateway, chat, 'echo precious >note');
      await gateway.sandboxes.retire(await ledgerEntry(gateway, id));
    }
    gateway.age(8 * 24 * HOUR);
    const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = troubled(gateway, {
      destroy: real => async (ref, options) => {
        entered.resolve();
        await goOn.promise;
        return real(ref, options);
      },
    });
    const sweeping = slow.sweeper.sweep(['bubblewrap']);
    await within(entered.promise, 'the engine to be asked');
    const [kept] = await gateway.world.store.ledger.list({ states: ['suspended'] });
    const session = await gateway.world.store.sessions.find(kept?.sessionId ?? '');
    const used = await once({ ...slow, session: gateway.session }, session?.chat ?? '', 'cat note');
    expect(used.stdout).toBe('precious\n');
    goOn.resolve();
    await sweeping;
    expect(await stateOf(gateway, used.id)).toBe('ready');
  });

  it('P5: keeps what runs in the background alive, also without a connection to it', async () => {
    const gateway = await started();
    await gateway.sweeper.sweep(['bubblewrap']);
    const { processes } = gateway.world.store;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('sleep 600');
    await lease.release();
    await gateway.sandboxes.life.letGo(lease.sandboxId);
    gateway.age(2 * HOUR);
    await gateway.sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('ready');
    await (await gateway.sandboxes.life.handle(lease.sandboxId)?.process(process.id))?.kill();
    await gateway.sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('suspended');
    expect(await processes.busySandboxes()).toEqual([]);
  });
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [warmOnes, places, retiring]) tests(gateways);
});
