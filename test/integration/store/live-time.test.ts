// How long sandboxes were live, for those that are billed by time, on every database.
import { describe, expect, it } from 'vitest';
import { databases } from './databases.ts';

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  it('counts the time from the making to the end, without what it was suspended for', async () => {
    const { store, clock } = await open();
    await store.ledger.enter({
      ...{ id: 'x', installation: 'i', backend: 'b', whenIdle: 'suspend', policyHash: 'h', policy: {} },
      deadline: 2_000_000,
    });
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
});
