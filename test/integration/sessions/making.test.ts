// The steps of a sandbox's life that go wrong, or that somebody else has overtaken (P4, P5).
import { afterEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/backends/backend.ts';
import { SessionSandboxes } from '../../../src/sessions/session-sandboxes.ts';
import type { LedgerEntry } from '../../../src/store/ledger.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateway, newHome, openGateway } from './world.ts';

const request = { purpose: 'run', actor: 'test:1' };
const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function started(backend: string): Promise<Gateway> {
  const gateway = await openGateway({ home: await newHome(), environment: { TERMINAL_ENV: backend } });
  open.push(gateway);
  return gateway;
}

/** A sandbox that was idle when somebody looked, and has been used since. */
async function usedSince(gateway: Gateway): Promise<LedgerEntry> {
  const { sandboxes, world } = gateway;
  const session = await gateway.session('a');
  const first = await sandboxes.lease(session, request);
  await first.release();
  const seen = await world.store.ledger.find(first.sandboxId);
  if (!seen) throw new Error('it was made above');
  gateway.age(1);
  await (await sandboxes.lease(session, request)).release();
  return seen;
}

describe('local', () => {
  it('P4: has nothing left in the ledger that could not be made, and says why', async () => {
    const gateway = await started('local');
    const broken: Backend = {
      ...gateway.backend,
      create: async () => {
        throw new Error('the engine said no to hunter2');
      },
    };
    const world = { ...gateway.world, backend: async () => broken };
    const sandboxes = new SessionSandboxes(world, { most: 10, warm: 0 });
    await expect(sandboxes.lease(await gateway.session('a'), request)).rejects.toThrow('the engine said no');
    expect(await gateway.world.store.ledger.list()).toMatchObject([
      { state: 'gone', problem: 'the engine said no to ***' },
    ]);
  });

  it('P4: keeps what could not be removed, and tries again later', async () => {
    const gateway = await started('local');
    const { store } = gateway.world;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.release();
    const stuck: Backend = {
      ...gateway.backend,
      attach: async () => {
        throw new Error('the engine is away');
      },
    };
    const world = { ...gateway.world, backend: async () => stuck };
    const sandboxes = new SessionSandboxes(world, { most: 10, warm: 0 });
    expect(await sandboxes.life.remove(lease.sandboxId)).toBe(false);
    expect(await store.ledger.find(lease.sandboxId)).toMatchObject({ state: 'destroying', attempts: 1 });
    expect(await gateway.sandboxes.life.remove(lease.sandboxId)).toBe(true);
    expect(await store.ledger.find(lease.sandboxId)).toMatchObject({ state: 'gone' });
  });

  it('P5: removes nothing that was used since it was seen', async () => {
    const gateway = await started('local');
    const seen = await usedSince(gateway);
    expect(await gateway.sandboxes.life.remove(seen.id, seen)).toBe(false);
    expect(await gateway.world.store.ledger.find(seen.id)).toMatchObject({ state: 'ready' });
  });
});

describeWith('bubblewrap', () => {
  it('P5: suspends nothing that was used since it was seen', async () => {
    const gateway = await started('bubblewrap');
    const seen = await usedSince(gateway);
    expect(await gateway.sandboxes.life.suspend(seen)).toBe(false);
    expect(await gateway.world.store.ledger.find(seen.id)).toMatchObject({ state: 'ready' });
  });
});
