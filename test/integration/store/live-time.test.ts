// How long sandboxes were live, for those that are billed by time, on every database.
import { describe, expect, it } from 'vitest';
import type { NewSandbox } from '../../../src/store/ledger.ts';
import { databases } from './databases.ts';

const entry: NewSandbox = {
  ...{ id: 'x', installation: 'i', backend: 'b', whenIdle: 'suspend', policyHash: 'h', policy: {} },
  deadline: 2_000_000,
};

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  it('counts the time from the making to the end, without what it was suspended for', async () => {
    const { store, clock } = await open();
    await store.ledger.enter(entry);
    const steps = [
      ['ready', 10],
      ['suspending', 1_000],
      ['suspended', 5],
      ['resuming', 70_000],
      ['ready', 20],
      ['destroying', 500],
    ] as const;
    for (const [next, ms] of steps) {
      clock.advance(ms);
      expect(await store.ledger.move('x', next)).toBeDefined();
    }
    expect(await store.ledger.find('x')).toMatchObject({ liveMs: 1_015, liveSince: clock.now() - 520 });
    clock.advance(3);
    expect(await store.ledger.move('x', 'gone')).toMatchObject({ liveMs: 1_538, liveSince: null });
  });

  it('counts nothing of one that could not be made, and all of one that failed later', async () => {
    const { store, clock } = await open();
    await store.ledger.enter(entry);
    await store.ledger.enter({ ...entry, id: 'made' });
    clock.advance(1_000);
    await store.ledger.move('made', 'ready');
    for (const next of ['failed', 'destroying', 'gone'] as const) {
      for (const id of ['x', 'made']) await store.ledger.move(id, next);
    }
    expect(await store.ledger.find('x')).toMatchObject({ liveMs: 0, liveSince: null });
    expect(await store.ledger.find('made')).toMatchObject({ liveMs: 1_000, liveSince: null });
  });

  it('is not made less by a clock that is set back', async () => {
    const { store, clock } = await open();
    await store.ledger.enter(entry);
    await store.ledger.move('x', 'ready');
    clock.advance(-5_000);
    await store.ledger.move('x', 'destroying');
    expect(await store.ledger.move('x', 'gone')).toMatchObject({ liveMs: 0 });
  });
});
