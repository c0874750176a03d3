// People, messages in and out, approvals, the audit and transactions, on every database.
import { describe, expect, it } from 'vitest';
import type { Repositories } from '../../../src/store/store.ts';
import { databases } from './databases.ts';

const enter = async (store: Repositories, key = 'k'): Promise<string> =>
  (await store.sessions.enter({ key, kind: 'messaging', platform: 'web', chat: key })).id;

const incoming = (sessionId: string, messageId: string) => ({
  platform: 'web',
  chat: 'c',
  messageId,
  sessionId,
  person: 'p',
  body: { text: `message ${messageId}` },
});

const outgoing = (sessionId: string, chat: string, text: string) => ({
  sessionId,
  platform: 'web',
  chat,
  body: { text },
});

const question = (sessionId: string, runId = 'run') => ({
  sessionId,
  runId,
  requester: 'web:p',
  command: `rm -rf ${'x'.repeat(10_000)} # the end`,
  findings: [{ rule: 'delete' }],
  expiresAt: 1_300_000,
});

const idsOf = (messages: readonly { messageId: string }[]) => messages.map(({ messageId }) => messageId);
const seqsOf = (messages: readonly { seq: number }[]) => messages.map(({ seq }) => seq);

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  describe('people', () => {
    it('are known by platform and exact id, and the last decision counts', async () => {
      const { store, clock } = await open();
      const person = { platform: 'web', userId: '12345' };
      await store.people.decide({
        ...person,
        name: 'Ann',
        role: 'user',
        standing: 'allowed',
        decidedBy: 'cli',
      });
      clock.advance(1);
      await store.people.decide({ ...person, role: 'owner', standing: 'denied', decidedBy: 'web:1' });
      expect(await store.people.find(person)).toEqual({
        ...person,
        name: 'Ann',
        role: 'owner',
        standing: 'denied',
        decidedBy: 'web:1',
        decidedAt: 1_000_001,
        chat: null,
      });
      expect(await store.people.find({ platform: 'web', userId: '12345@evil.example' })).toBeUndefined();
      expect(await store.people.find({ platform: 'WEB', userId: '12345' })).toBeUndefined();
      expect(await store.people.list()).toHaveLength(1);
      await store.people.forget(person);
      expect(await store.people.list()).toEqual([]);
    });
  });

  describe('the inbox (P12)', () => {
    it('takes each message once, however often and however parallel the platform delivers it', async () => {
      const { store, second } = await open();
      const other = await second();
      const session = await enter(store);
      const put = await Promise.all(
        [store, other, store, other].map(each => each.inbox.put(incoming(session, '1'))),
      );
      expect(put.filter(message => message !== undefined)).toHaveLength(1);
      expect(await store.inbox.put({ ...incoming(session, '1'), chat: 'another' })).toBeDefined();
    });

    it('gives a run all that waits in its session, in the order of arrival', async () => {
      const { store } = await open();
      const [session, other] = [await enter(store), await enter(store, 'other')];
      for (const id of ['a', 'b', 'c']) await store.inbox.put(incoming(session, id));
      await store.inbox.put(incoming(other, 'd'));
      const taken = await store.inbox.take(session, 'run');
      expect(idsOf(taken)).toEqual(['a', 'b', 'c']);
      expect(taken[0]).toMatchObject({ body: { text: 'message a' }, person: 'p', receivedAt: 1_000_000 });
      expect(await store.inbox.take(session, 'run 2')).toEqual([]);
      expect(idsOf(await store.inbox.waiting())).toEqual(['d']);
    });

    it('tells what a crash cut off, which then waits again or is done', async () => {
      const { store, clock } = await open();
      const [session, other] = [await enter(store), await enter(store, 'other')];
      await store.inbox.put(incoming(session, 'a'));
      await store.inbox.put(incoming(other, 'b'));
      await store.inbox.take(other, 'run b');
      await store.inbox.take(session, 'run a');
      expect(idsOf(await store.inbox.unfinished())).toEqual(['a', 'b']);
      await store.inbox.putBack('run a');
      await store.inbox.finish('run b');
      expect(await store.inbox.unfinished()).toEqual([]);
      expect(idsOf(await store.inbox.waiting())).toEqual(['a']);
      expect(await store.inbox.put(incoming(other, 'b'))).toBeUndefined();
      expect(await store.inbox.forgetDone(clock.now() + 1)).toBe(1);
      expect(idsOf(await store.inbox.take(session, 'run c'))).toEqual(['a']);
    });

    it('finishes what a run took, and nothing of another run', async () => {
      const { store } = await open();
      for (const key of ['a', 'b']) {
        const session = await enter(store, key);
        await store.inbox.put(incoming(session, key));
        await store.inbox.take(session, `run ${key}`);
      }
      await store.inbox.finish('run a');
      expect(idsOf(await store.inbox.unfinished())).toEqual(['b']);
    });

    it('gives a run only the messages that it names, and a command its own from the beginning', async () => {
      const { store } = await open();
      const session = await enter(store);
      const rows = [];
      for (const id of ['a', 'b', 'c']) rows.push(await store.inbox.put(incoming(session, id)));
      await store.inbox.put({ ...incoming(session, 'd'), runId: 'command' });
      expect(idsOf(await store.inbox.take(session, 'run', [rows[1]?.seq ?? 0]))).toEqual(['b']);
      expect(idsOf(await store.inbox.waiting())).toEqual(['a', 'c']);
      expect(idsOf(await store.inbox.unfinished())).toEqual(['b', 'd']);
    });
  });

  describe('the outbox (P12)', () => {
    it('keeps the order of each chat, also when the first must wait for another attempt', async () => {
      const { store, clock } = await open();
      const session = await enter(store);
      const [a1, a2, b1] = [
        await store.outbox.put(outgoing(session, 'a', 'one')),
        await store.outbox.put(outgoing(session, 'a', 'two')),
        await store.outbox.put(outgoing(session, 'b', 'three')),
      ];
      expect(seqsOf(await store.outbox.waiting())).toEqual([a1.seq, a2.seq, b1.seq]);
      expect(await store.outbox.startSending(a1.seq)).toBe(true);
      expect(await store.outbox.startSending(a1.seq)).toBe(false);
      expect(seqsOf(await store.outbox.waiting())).toEqual([a2.seq, b1.seq]);
      await store.outbox.postpone(a1.seq, { problem: '429', dueAt: 1_000_100, sentId: '["1"]' });
      expect(await store.outbox.waiting()).toMatchObject([
        { seq: a1.seq, dueAt: 1_000_100, sentId: '["1"]' },
        { seq: a2.seq, sentId: null },
        { seq: b1.seq },
      ]);
      clock.advance(100);
      await store.outbox.startSending(a1.seq);
      await store.outbox.markSent(a1.seq, 'platform-1');
      expect(seqsOf(await store.outbox.waiting())).toEqual([a2.seq, b1.seq]);
      expect(await store.outbox.forgetSettled(clock.now() + 1)).toBe(1);
    });

    it('marks what was being sent at a crash as a possible repeat, and nothing else', async () => {
      const { store } = await open();
      const session = await enter(store);
      const [flying, waiting] = [
        await store.outbox.put(outgoing(session, 'a', 'one')),
        await store.outbox.put(outgoing(session, 'b', 'two')),
      ];
      await store.outbox.startSending(flying.seq);
      expect(await store.outbox.recoverInterrupted()).toMatchObject([{ seq: flying.seq, interrupted: 1 }]);
      expect(await store.outbox.waiting()).toMatchObject([
        { seq: flying.seq, interrupted: 1, attempts: 1, body: { text: 'one' } },
        { seq: waiting.seq, interrupted: 0, attempts: 0 },
      ]);
    });

    it('knows of what may have arrived although it failed, and finds everything by its run', async () => {
      const { store } = await open();
      const session = await enter(store);
      const row = await store.outbox.put({ ...outgoing(session, 'a', 'one'), runId: 'run' });
      await store.outbox.startSending(row.seq);
      await store.outbox.postpone(row.seq, { problem: 'cut', dueAt: 0, mayHaveArrived: true });
      expect(await store.outbox.find(row.seq)).toMatchObject({ interrupted: 1, state: 'waiting' });
      await store.outbox.startSending(row.seq);
      await store.outbox.giveUp(row.seq, { problem: 'blocked' });
      expect(await store.outbox.ofRun(session, 'run')).toMatchObject([{ seq: row.seq, interrupted: 1 }]);
      expect(await store.outbox.ofRun(session, 'another')).toEqual([]);
      expect(await store.outbox.waiting()).toEqual([]);
    });

    it('finds a sent message by the exact id of any part, and marks it as undelivered once', async () => {
      const { store, clock } = await open();
      const session = await enter(store);
      const ids = ['wamid.A_b%"\\', 'wamid.a_b%"\\', 'wamid.Axb'];
      const rows = await Promise.all(ids.map(id => store.outbox.put(outgoing(session, id, 'x'))));
      for (const [at, { seq }] of rows.entries()) {
        await store.outbox.startSending(seq);
        await store.outbox.markSent(seq, JSON.stringify(['first', ids[at]]));
      }
      for (const [at, id] of ids.entries())
        expect(await store.outbox.findSent('web', id)).toMatchObject({ seq: rows[at]?.seq });
      expect(await store.outbox.findSent('discord', ids[0] ?? '')).toBeUndefined();
      expect(await store.outbox.findSent('web', 'wamid.A')).toBeUndefined();
      const { seq = 0 } = rows[0] ?? {};
      await store.outbox.markUndelivered(seq, 'window closed');
      await store.outbox.markUndelivered(seq, 'later');
      expect(await store.outbox.findSent('web', ids[0] ?? '')).toBeUndefined();
      const [failed, ...others] = await store.outbox.undelivered({ since: clock.now() });
      expect([failed?.seq, failed?.problem, others]).toEqual([seq, 'window closed', []]);
      expect(await store.outbox.undelivered({ since: clock.now() + 1 })).toEqual([]);
      const to = { platform: 'web', chat: 'another' };
      expect(await store.outbox.undelivered({ since: 0, to })).toEqual([]);
    });

    it('is written together with others, and one failure spoils none of them', async () => {
      const { store } = await open();
      const session = await enter(store);
      const texts = ['one', 'two', 'three'];
      const put = (id: string, text: string) =>
        store.together(({ outbox }) => outbox.put(outgoing(id, text, text)));
      const results = await Promise.allSettled([
        ...texts.map(text => put(session, text)),
        put('no such session', 'lost'),
        put(session, 'four'),
      ]);
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true]);
      expect((await store.outbox.waiting()).map(({ chat }) => chat)).toEqual([...texts, 'four']);
    });

    it('keeps what it has given up for a while, and goes on with the rest of the chat', async () => {
      const { store, clock } = await open();
      const session = await enter(store);
      const [lost, next] = [
        await store.outbox.put(outgoing(session, 'a', 'one')),
        await store.outbox.put(outgoing(session, 'a', 'two')),
      ];
      await store.outbox.startSending(lost.seq);
      await store.outbox.giveUp(lost.seq, { problem: 'chat not found' });
      expect(await store.outbox.find(lost.seq)).toMatchObject({ state: 'failed', problem: 'chat not found' });
      expect(seqsOf(await store.outbox.waiting())).toEqual([next.seq]);
      expect(await store.outbox.forgetSettled(clock.now())).toBe(0);
      expect(await store.outbox.forgetSettled(clock.now() + 1)).toBe(1);
      expect(seqsOf(await store.outbox.waiting())).toEqual([next.seq]);
    });
  });

  describe('approvals (P8)', () => {
    it('hold the whole command, and are answered once, by whoever is first', async () => {
      const { store, second } = await open();
      const other = await second();
      const session = await enter(store);
      const { id, nonce } = await store.approvals.ask(question(session));
      expect(await store.approvals.pending()).toMatchObject([
        { id, command: question(session).command, findings: [{ rule: 'delete' }] },
      ]);
      const answers = await Promise.all([
        store.approvals.answer(id, { nonce, answeredBy: 'web:1', state: 'approved', scope: 'once' }),
        other.approvals.answer(id, { nonce, answeredBy: 'web:2', state: 'denied', reason: 'no' }),
      ]);
      const counted = answers.filter(answer => answer !== undefined);
      expect(counted).toHaveLength(1);
      expect(await store.approvals.find(id)).toEqual(counted[0]);
      expect(await store.approvals.pending()).toEqual([]);
    });

    it('count only with their nonce and in time', async () => {
      const { store, clock } = await open();
      const { id, nonce } = await store.approvals.ask(question(await enter(store)));
      const yes = { answeredBy: 'web:1', state: 'approved', scope: 'once' } as const;
      expect(await store.approvals.answer(id, { ...yes, nonce: 'guess' })).toBeUndefined();
      clock.advance(300_000);
      expect(await store.approvals.answer(id, { ...yes, nonce })).toBeUndefined();
      expect(await store.approvals.expire()).toMatchObject([{ id, state: 'expired' }]);
      expect(await store.approvals.expire()).toEqual([]);
      expect(await store.approvals.find(id)).toMatchObject({ state: 'expired', answeredBy: null });
    });

    it('are closed one by one, and each once', async () => {
      const { store } = await open();
      const session = await enter(store);
      const { id } = await store.approvals.ask(question(session, 'run'));
      const kept = await store.approvals.ask(question(session, 'run'));
      expect(await store.approvals.close(id)).toMatchObject({ id, state: 'closed' });
      expect(await store.approvals.close(id)).toBeUndefined();
      expect(await store.approvals.pending()).toEqual([kept]);
      expect((await store.approvals.ofRun('run')).map(({ state }) => state).toSorted()).toEqual([
        'closed',
        'pending',
      ]);
    });
  });

  describe('the audit', () => {
    it('is read from the oldest on, by time, session and page', async () => {
      const { store, clock } = await open();
      for (const sessionId of ['a', 'b', 'a', 'b']) {
        await store.audit.append({
          ...{ actor: 'web:p', sessionId, action: 'command', subject: 'ls', outcome: 'exited' },
          details: { code: 0 },
        });
        clock.advance(10);
      }
      const all = await store.audit.list({ limit: 10 });
      expect(all).toHaveLength(4);
      expect(all[0]).toMatchObject({ at: 1_000_000, actor: 'web:p', sandboxId: null, details: { code: 0 } });
      expect(await store.audit.list({ limit: 10, since: 1_000_020 })).toEqual(all.slice(2));
      expect(await store.audit.list({ limit: 10, sessionId: 'a' })).toEqual([all[0], all[2]]);
      expect(await store.audit.list({ limit: 2, after: all[0]?.seq ?? 0 })).toEqual(all.slice(1, 3));
    });

    it('forgets what is old and never numbers a new entry like a forgotten one', async () => {
      const { store, clock } = await open();
      const entry = { actor: 'cli', action: 'command', subject: 'y', outcome: 'z' } as const;
      const last = await store.audit.append(entry);
      clock.advance(10);
      expect(await store.audit.forget(clock.now())).toBe(1);
      expect((await store.audit.append(entry)).seq).toBeGreaterThan(last.seq);
    });
  });

  describe('a transaction', () => {
    it('does everything or nothing, over several tables', async () => {
      const { store } = await open();
      const failing = store.transaction(async inside => {
        const session = await enter(inside);
        await inside.inbox.put(incoming(session, '1'));
        await inside.sessions.delete(session);
        await inside.installation.recordGateway(1);
        throw new Error('crash');
      });
      await expect(failing).rejects.toThrow('crash');
      expect(await store.sessions.list({ which: 'all', limit: 10 })).toEqual([]);
      expect((await store.installation.read()).gateway).toBeNull();
      const session = await store.transaction(async inside => {
        const id = (await inside.sessions.enter({ key: 'k', kind: 'cli', platform: 'cli', chat: 'c' })).id;
        await inside.inbox.put(incoming(id, '1'));
        return id;
      });
      expect((await store.inbox.waiting()).map(({ sessionId }) => sessionId)).toEqual([session]);
    });
  });
});
