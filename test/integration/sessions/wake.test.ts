// Waking, and what is cut off on the way: two who want the same sandbox never cost it its files (P4).
import { expect, it } from 'vitest';
import { SandboxLife } from '../../../src/sessions/life.ts';
import type { SandboxPolicy } from '../../../src/sessions/policy.ts';
import { Sweeper } from '../../../src/sessions/sweeper.ts';
import type { LedgerEntry } from '../../../src/store/ledger.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { changed, type Gateways, once, request, stateOf, useGateways } from './use-gateways.ts';
import type { Gateway } from './world.ts';

async function suspended(gateway: Gateway): Promise<LedgerEntry> {
  const { id } = await once(gateway, 'a', 'echo precious >note');
  const ready = await gateway.world.store.ledger.find(id);
  if (ready) await gateway.sandboxes.retire(ready);
  const entry = await gateway.world.store.ledger.find(id);
  expect(entry?.state).toBe('suspended');
  return entry as LedgerEntry; // it was made above
}

function wokenByTwo({ started, troubled }: Gateways): void {
  it('P4: leaves the files alone when a gateway starts while a command wakes the sandbox', async () => {
    const gateway = await started();
    const entry = await suspended(gateway);
    const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = troubled(gateway, {
      attach: real => async (ref, options) => {
        entered.resolve();
        await goOn.promise;
        return real(ref, options);
      },
    });
    const life = new SandboxLife({ ...slow.world, holder: 'cli-1' });
    const waking = life.wake(entry, entry.policy as SandboxPolicy); // as SandboxLife wrote it
    await within(entered.promise, 'the engine to be asked');
    await new Sweeper(gateway.world, gateway.sandboxes).sweep(['bubblewrap']);
    goOn.resolve();
    expect(await waking).toMatchObject({ state: 'ready' });
    await life.close();
    expect(await once(gateway, 'a', 'cat note')).toMatchObject({ stdout: 'precious\n', notices: [] });
  });

  it('P4: destroys nothing when somebody else has changed the row meanwhile', async () => {
    const gateway = await started();
    const entry = await suspended(gateway);
    const { ledger } = gateway.world.store;
    const raced = troubled(gateway, {
      attach: real => async (ref, options) => {
        await ledger.move(ref.id, 'suspended');
        return real(ref, options);
      },
    });
    const life = new SandboxLife(raced.world);
    const waking = life.wake(entry, entry.policy as SandboxPolicy); // as SandboxLife wrote it
    await expect(waking).rejects.toMatchObject({ code: 'SANDBOX_IN_USE' });
    expect(await stateOf(gateway, entry.id)).toBe('suspended');
    expect(await once(gateway, 'a', 'cat note')).toMatchObject({ stdout: 'precious\n', notices: [] });
  });

  it('ends what runs in one whose suspension was cut off before the engine was asked', async () => {
    const gateway = await started();
    const { ledger, processes } = gateway.world.store;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.exec('echo precious >note');
    const process = await lease.start('sleep 600');
    await lease.release();
    const ended = process.wait().then(
      () => 'ended',
      () => 'ended',
    );
    await ledger.move(lease.sandboxId, 'suspending', { deadline: gateway.world.clock.now() + 120_000 });
    await new Sweeper(gateway.world, gateway.sandboxes).sweep(['bubblewrap']);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('suspended');
    expect(await ended).toBe('ended');
    expect(await processes.busySandboxes()).toEqual([]);
    expect(await once(gateway, 'a', 'cat note')).toMatchObject({ stdout: 'precious\n' });
  });
}

function cutOff({ started, restarted, troubled }: Gateways): void {
  it('suspends it again when waking fails half-way', async () => {
    const gateway = await started();
    const entry = await suspended(gateway);
    let spawns = 0;
    let suspensions = 0;
    const broken = troubled(gateway, {
      attach: real => async (ref, options) => {
        const sandbox = await real(ref, options);
        return changed(sandbox, {
          spawn: argv => {
            spawns++;
            return spawns === 1 ? Promise.reject(new Error('no more processes')) : sandbox.spawn(argv);
          },
          suspend: async given => {
            suspensions++;
            await sandbox.suspend?.(given);
          },
        });
      },
    });
    await expect(broken.sandboxes.lease(await gateway.session('a'), request)).rejects.toThrow();
    expect(await stateOf(gateway, entry.id)).toBe('suspended');
    expect(suspensions).toBe(1);
    expect(await once(gateway, 'a', 'cat note')).toMatchObject({ stdout: 'precious\n' });
  });

  it('finds a sandbox again after a restart, without a word', async () => {
    const first = await started();
    await once(first, 'a', 'echo precious >note');
    const second = await restarted(first);
    await second.sweeper.sweep(['bubblewrap']);
    expect(await once(second, 'a', 'cat note')).toMatchObject({ stdout: 'precious\n', notices: [] });
  });
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [wokenByTwo, cutOff]) tests(gateways);
});
