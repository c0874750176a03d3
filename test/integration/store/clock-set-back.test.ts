// A gateway that starts after the clock was set back finds nothing that waits for the time of before, on every database.
import { describe, expect, it } from 'vitest';
import { databases } from './databases.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  it('nothing waits for the time of before the clock was set back, and nothing is over too early', async () => {
    const { store, clock } = await open();
    clock.advance(365 * DAY);
    const session = await store.sessions.enter({ key: 'k', kind: 'messaging', platform: 'web', chat: '1' });
    const put = (text: string) =>
      store.outbox.put({ sessionId: session.id, platform: 'web', chat: '1', body: { text } });
    const { seq } = await put('waits');
    await store.outbox.startSending(seq);
    await store.outbox.postpone(seq, { problem: 'x', dueAt: clock.now() + 900_000 });
    const sandbox = {
      installation: 'i',
      backend: 'b',
      whenIdle: 'suspend',
      policyHash: 'h',
      policy: {},
    } as const;
    await store.ledger.enter({ ...sandbox, id: 'box', deadline: clock.now() + 60_000 });
    const { id } = await store.pairings.ask({
      ...{ platform: 'web', userId: '1', name: 'Ann', codeHash: 'h', event: '{}' },
      expiresAt: clock.now() + HOUR,
    });
    clock.setBack(30 * DAY);
    await store.installation.settleClock();
    const now = clock.now();
    expect(await store.outbox.waiting()).toMatchObject([{ createdAt: now, dueAt: now + 900_000 }]);
    expect(await store.ledger.find('box')).toMatchObject({ stateSince: now, deadline: now + 60_000 });
    expect(await store.sessions.find(session.id)).toMatchObject({ activeAt: now });
    expect(await store.pairings.pending()).toMatchObject([{ id, expiresAt: now + HOUR }]);
    clock.advance(HOUR);
    expect(await store.pairings.pending()).toEqual([]);
  });

  it('no deadline that is put off again and again stays further away than an hour', async () => {
    const { store, clock } = await open();
    const session = await store.sessions.enter({ key: 'k', kind: 'messaging', platform: 'web', chat: '1' });
    const row = { sessionId: session.id, platform: 'web', chat: '1', body: {} };
    const { seq } = await store.outbox.put(row);
    await store.outbox.startSending(seq);
    await store.outbox.postpone(seq, { problem: 'x', dueAt: clock.now() + 30 * DAY });
    await store.installation.settleClock();
    expect(await store.outbox.waiting()).toMatchObject([
      { createdAt: clock.now(), dueAt: clock.now() + HOUR },
    ]);
  });

  it('a clock that was not set back changes nothing', async () => {
    const { store, clock } = await open();
    const session = await store.sessions.enter({ key: 'k', kind: 'messaging', platform: 'web', chat: '1' });
    const row = await store.outbox.put({ sessionId: session.id, platform: 'web', chat: '1', body: {} });
    clock.advance(DAY);
    await store.installation.settleClock();
    expect(await store.outbox.find(row.seq)).toEqual(row);
    expect(await store.sessions.find(session.id)).toEqual(session);
  });
});
