// The installation, its sessions and the ledger of sandboxes, on every database.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { Session } from '../../../src/store/sessions.ts';
import type { Store } from '../../../src/store/store.ts';
import { databases } from './databases.ts';

const chat = (key: string) => ({ key, kind: 'messaging', platform: 'web', chat: key }) as const;

async function newSandbox(store: Store, session?: Session): Promise<string> {
  const id = newId();
  await store.ledger.enter({
    id,
    installation: 'i',
    ...(session ? { sessionId: session.id } : {}),
    backend: 'b',
    whenIdle: 'suspend',
    policyHash: 'h',
    policy: { image: 'x', mounts: [] },
    deadline: 2_000_000,
  });
  return id;
}

async function readySandbox(store: Store): Promise<{ id: string; session: Session }> {
  const session = await store.sessions.enter(chat(newId()));
  const id = await newSandbox(store, session);
  await store.ledger.move(id, 'ready', { name: 'hermes-x' });
  return { id, session };
}

const leaseOf = ({ id, session }: { id: string; session: Session }, holder = 'me') => ({
  sandboxId: id,
  sessionId: session.id,
  holder,
  purpose: 'run',
  expiresAt: 1_060_000,
});

const stateOf = async (store: Store, id: string) => (await store.ledger.find(id))?.state;

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  describe('the installation', () => {
    it('has one id for ever, whoever asks first', async () => {
      const { store, second } = await open();
      const other = await second();
      const [a, b] = await Promise.all([store.installation.read(), other.installation.read()]);
      expect(a).toEqual(b);
      expect(a).toMatchObject({ createdAt: 1_000_000, backend: null, gateway: null });
    });

    it('remembers what auto came to, until that is to be chosen again', async () => {
      const { store } = await open();
      await store.installation.recordBackend('docker');
      expect((await store.installation.read()).backend).toEqual({ name: 'docker', chosenAt: 1_000_000 });
      await store.installation.recordBackend(null);
      expect((await store.installation.read()).backend).toBeNull();
    });

    it('names the gateway that serves it; one that was replaced cannot wipe out its successor', async () => {
      const { store } = await open();
      await store.installation.recordGateway(10);
      await store.installation.recordGateway(11);
      await store.installation.forgetGateway(10);
      expect((await store.installation.read()).gateway).toEqual({ pid: 11, startedAt: 1_000_000 });
      await store.installation.forgetGateway(11);
      expect((await store.installation.read()).gateway).toBeNull();
    });
  });

  describe('sessions', () => {
    it('are entered again by their key, and a new one begins when the last was ended', async () => {
      const { store, clock } = await open();
      const first = await store.sessions.enter({ ...chat('k'), person: 'p' });
      clock.advance(5);
      const again = await store.sessions.enter(chat('k'));
      expect(again).toEqual({ ...first, activeAt: first.activeAt + 5 });
      await store.sessions.end(first.id);
      expect(await store.sessions.findCurrent('k')).toBeUndefined();
      const next = await store.sessions.enter(chat('k'));
      expect(next.id).not.toBe(first.id);
      expect(await store.sessions.findCurrent('k')).toEqual(next);
      expect((await store.sessions.find(first.id))?.endedAt).toBe(1_000_005);
    });

    it('of one key are one, however many enter at once', async () => {
      const { store, second } = await open();
      const other = await second();
      const entered = await Promise.all(
        [store, other, store, other, store, other].map(each => each.sessions.enter(chat('k'))),
      );
      expect(new Set(entered.map(({ id }) => id)).size).toBe(1);
    });

    it('are listed by activity, page by page, with or without ended ones', async () => {
      const { store, clock } = await open();
      const ids: string[] = [];
      for (const key of ['a', 'b', 'c']) {
        ids.unshift((await store.sessions.enter(chat(key))).id);
        clock.advance(1);
      }
      await store.sessions.end(ids[0] ?? '');
      const idsOf = async (filter: Parameters<typeof store.sessions.list>[0]) =>
        (await store.sessions.list(filter)).map(({ id }) => id);
      expect(await idsOf({ which: 'all', limit: 10 })).toEqual(ids);
      expect(await idsOf({ which: 'current', limit: 10 })).toEqual(ids.slice(1));
      expect(await idsOf({ which: 'all', limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await idsOf({ which: 'all', limit: 2, activeBefore: 1_000_001 })).toEqual(ids.slice(2));
    });

    it('can be switched to a network and back', async () => {
      const { store } = await open();
      const { id } = await store.sessions.enter(chat('k'));
      await store.sessions.setNetwork(id, 'open');
      expect((await store.sessions.find(id))?.network).toBe('open');
      await store.sessions.setNetwork(id, null);
      expect((await store.sessions.find(id))?.network).toBeNull();
    });

    it('are deleted with all that is theirs, but not while a sandbox may exist', async () => {
      const { store } = await open();
      const { id, session } = await readySandbox(store);
      const message = { platform: 'web', chat: 'c', sessionId: session.id, body: {} };
      await store.inbox.put({ ...message, messageId: '1', person: 'p' });
      await store.outbox.put(message);
      await store.audit.append({
        actor: 'cli',
        sessionId: session.id,
        action: 'command',
        subject: 'y',
        outcome: 'z',
      });
      await store.processes.enter({ sandboxId: id, id: 'p', command: 'sleep' });
      expect(await store.sessions.delete(session.id)).toBe('has-sandbox');
      await store.ledger.move(id, 'destroying');
      await store.ledger.move(id, 'gone');
      expect(await store.sessions.delete(session.id)).toBe('deleted');
      expect(await store.sessions.delete(session.id)).toBe('unknown');
      expect(await store.ledger.list()).toEqual([]);
      expect(await store.inbox.waiting()).toEqual([]);
      expect(await store.processes.busySandboxes()).toEqual([]);
      expect(await store.audit.list({ limit: 10 })).toHaveLength(1);
    });
  });

  describe('the ledger (P4)', () => {
    it('has a row before there is a sandbox, and gives the policy back as it was', async () => {
      const { store } = await open();
      const session = await store.sessions.enter(chat('k'));
      const id = await newSandbox(store, session);
      expect(await store.ledger.findLive(session.id)).toMatchObject({
        id,
        installation: 'i',
        sessionId: session.id,
        backend: 'b',
        name: null,
        state: 'creating',
        policy: { image: 'x', mounts: [] },
        deadline: 2_000_000,
        attempts: 0,
      });
    });

    it('allows a session one sandbox, and the next when that is on its way out', async () => {
      const { store } = await open();
      const { id, session } = await readySandbox(store);
      await expect(newSandbox(store, session)).rejects.toThrow();
      expect(await store.ledger.list()).toHaveLength(1);
      await store.ledger.move(id, 'destroying');
      const next = await newSandbox(store, session);
      expect((await store.ledger.findLive(session.id))?.id).toBe(next);
      expect((await store.ledger.list({ sessionId: session.id })).map(entry => entry.id).toSorted()).toEqual(
        [id, next].toSorted(),
      );
      expect((await store.ledger.list({ states: ['destroying', 'gone'] })).map(entry => entry.id)).toEqual([
        id,
      ]);
    });

    it('goes the whole way of a sandbox, and says when each state began', async () => {
      const { store, clock } = await open();
      const { id } = await readySandbox(store);
      expect(await store.ledger.find(id)).toMatchObject({
        name: 'hermes-x',
        idleSince: 1_000_000,
        deadline: null,
      });
      const way = [
        'suspending',
        'suspended',
        'resuming',
        'ready',
        'suspending',
        'suspended',
        'destroying',
        'gone',
      ];
      for (const next of way as 'ready'[]) {
        clock.advance(10);
        expect(await store.ledger.move(id, next, { deadline: 5 })).toMatchObject({
          state: next,
          stateSince: clock.now(),
          idleSince: next === 'ready' ? clock.now() : null,
        });
      }
      expect(await store.ledger.forgetGone(clock.now())).toBe(0);
      expect(await store.ledger.forgetGone(clock.now() + 1)).toBe(1);
      expect(await store.ledger.find(id)).toBeUndefined();
    });

    it.each([
      ['gone', 'ready'],
      ['gone', 'destroying'],
      ['destroying', 'ready'],
      ['failed', 'ready'],
    ] as const)('does not lead from %s to %s', async (state, next) => {
      const { store } = await open();
      const { id } = await readySandbox(store);
      if (state === 'failed') await store.ledger.move(id, 'failed', { problem: 'lost' });
      else await store.ledger.move(id, 'destroying');
      if (state === 'gone') await store.ledger.move(id, 'gone');
      expect(await store.ledger.move(id, next)).toBeUndefined();
      expect(await stateOf(store, id)).toBe(state);
    });

    it('lets one of many have a sandbox of the warm pool, and only when it is ready', async () => {
      const { store, second } = await open();
      const other = await second();
      const id = await newSandbox(store);
      const sessions = await Promise.all(['a', 'b', 'c', 'd'].map(key => store.sessions.enter(chat(key))));
      expect(await store.ledger.claim(id, sessions[0]?.id ?? '')).toBeUndefined();
      await store.ledger.move(id, 'ready');
      const claims = await Promise.all(
        sessions.map((session, at) => (at % 2 ? store : other).ledger.claim(id, session.id)),
      );
      const won = claims.filter(claim => claim !== undefined);
      expect(won).toHaveLength(1);
      expect((await store.ledger.find(id))?.sessionId).toBe(won[0]?.sessionId);
      const spare = await newSandbox(store);
      await store.ledger.move(spare, 'ready');
      expect(await store.ledger.claim(spare, won[0]?.sessionId ?? '')).toBeUndefined();
    });

    it('moves one only if it is as it was seen', async () => {
      const { store, clock } = await open();
      const sandbox = await readySandbox(store);
      const seen = await store.ledger.find(sandbox.id);
      clock.advance(1);
      await store.leases.release((await store.leases.take(leaseOf(sandbox)))?.id ?? '');
      expect(await store.ledger.move(sandbox.id, 'destroying', {}, seen)).toBeUndefined();
      const again = await store.ledger.find(sandbox.id);
      expect(await store.ledger.move(sandbox.id, 'destroying', {}, again)).toBeDefined();
    });

    it('gives a session another sandbox in one step, or changes nothing', async () => {
      const { store } = await open();
      const { id, session } = await readySandbox(store);
      const old = await store.ledger.find(id);
      if (!old) throw new Error('it was made above');
      const fresh = await newSandbox(store);
      expect(await store.ledger.replace(old, fresh, {})).toBeUndefined();
      expect(await stateOf(store, id)).toBe('ready');
      await store.ledger.move(fresh, 'ready');
      expect(await store.ledger.replace(old, fresh, {})).toMatchObject({ id: fresh, sessionId: session.id });
      expect(await store.ledger.findLive(session.id)).toMatchObject({ id: fresh });
      expect(await stateOf(store, id)).toBe('destroying');
      const other = await newSandbox(store);
      await store.ledger.move(other, 'ready');
      expect(await store.ledger.replace(old, other, {})).toBeUndefined();
      expect(await store.ledger.find(other)).toMatchObject({ sessionId: null });
    });

    it('gives a session nothing that is another session’s', async () => {
      const { store } = await open();
      const [mine, theirs] = [await readySandbox(store), await readySandbox(store)];
      const old = await store.ledger.find(mine.id);
      if (!old) throw new Error('it was made above');
      expect(await store.ledger.replace(old, theirs.id, {})).toBeUndefined();
      expect(await store.ledger.find(theirs.id)).toMatchObject({ sessionId: theirs.session.id });
      expect(await stateOf(store, mine.id)).toBe('ready');
    });

    it('never forgets what may still exist, however old it is', async () => {
      const { store, clock } = await open();
      const { id } = await readySandbox(store);
      expect(await store.ledger.forgetGone(clock.now() + 1_000_000_000)).toBe(0);
      expect(await stateOf(store, id)).toBe('ready');
    });

    it('keeps what could not be removed, with the reason and the time of the next attempt', async () => {
      const { store } = await open();
      const { id } = await readySandbox(store);
      await store.ledger.move(id, 'destroying');
      await store.ledger.postpone(id, { problem: 'daemon away', retryAt: 7 });
      await store.ledger.postpone(id, { problem: 'still away', retryAt: 9 });
      expect(await store.ledger.find(id)).toMatchObject({
        state: 'destroying',
        attempts: 2,
        problem: 'still away',
        retryAt: 9,
      });
    });
  });

  describe('leases (P5)', () => {
    it('keep a sandbox from being suspended or destroyed, until the last one is released', async () => {
      const { store, clock } = await open();
      const sandbox = await readySandbox(store);
      const [first, last] = [
        await store.leases.take(leaseOf(sandbox)),
        await store.leases.take(leaseOf(sandbox)),
      ];
      for (const next of ['suspending', 'destroying', 'gone', 'ready'] as const) {
        expect(await store.ledger.move(sandbox.id, next)).toBeUndefined();
      }
      await store.leases.release(first?.id ?? '');
      await store.leases.release(first?.id ?? '');
      expect(await store.ledger.find(sandbox.id)).toMatchObject({ state: 'leased', idleSince: null });
      clock.advance(1000);
      await store.leases.release(last?.id ?? '');
      expect(await store.ledger.find(sandbox.id)).toMatchObject({ state: 'ready', idleSince: 1_001_000 });
      expect(await store.ledger.move(sandbox.id, 'suspending')).toBeDefined();
    });

    it('are not given on a sandbox that nobody can use, or that is another session’s', async () => {
      const { store } = await open();
      const sandbox = await readySandbox(store);
      const stranger = await store.sessions.enter(chat('stranger'));
      expect(await store.leases.take(leaseOf({ ...sandbox, session: stranger }))).toBeUndefined();
      await store.ledger.move(sandbox.id, 'suspending');
      expect(await store.leases.take(leaseOf(sandbox))).toBeUndefined();
      expect(await store.leases.list()).toEqual([]);
    });

    it('against suspending: one of the two comes first, never both', async () => {
      const { store, second } = await open();
      const other = await second();
      for (let round = 0; round < 20; round += 1) {
        const sandbox = await readySandbox(store);
        const [lease, suspending] = await Promise.all([
          store.leases.take(leaseOf(sandbox)),
          other.ledger.move(sandbox.id, 'suspending'),
        ]);
        expect([lease, suspending].filter(each => each !== undefined)).toHaveLength(1);
      }
    });

    it('released at the same time leave the sandbox ready', async () => {
      const { store, second } = await open();
      const other = await second();
      for (let round = 0; round < 20; round += 1) {
        const sandbox = await readySandbox(store);
        const taken = [await store.leases.take(leaseOf(sandbox)), await other.leases.take(leaseOf(sandbox))];
        await Promise.all([
          store.leases.release(taken[0]?.id ?? ''),
          other.leases.release(taken[1]?.id ?? ''),
        ]);
        expect(await stateOf(store, sandbox.id)).toBe('ready');
      }
    });

    it('of a dead holder are dropped, and those of the living stay', async () => {
      const { store } = await open();
      const [alone, shared] = [await readySandbox(store), await readySandbox(store)];
      await store.leases.take(leaseOf(alone, 'dead'));
      await store.leases.take(leaseOf(shared, 'dead'));
      await store.leases.take(leaseOf(shared, 'living'));
      const dropped = await store.leases.dropOf('dead');
      expect(dropped.map(({ sandboxId }) => sandboxId).toSorted()).toEqual([alone.id, shared.id].toSorted());
      expect(await stateOf(store, alone.id)).toBe('ready');
      expect(await stateOf(store, shared.id)).toBe('leased');
      expect(await store.leases.list(shared.id)).toMatchObject([{ holder: 'living' }]);
    });

    it('end when nobody renews them', async () => {
      const { store, clock } = await open();
      const [renewed, left] = [await readySandbox(store), await readySandbox(store)];
      const living = await store.leases.take(leaseOf(renewed, 'living'));
      await store.leases.take(leaseOf(left, 'silent'));
      await store.leases.renew(living ? [living] : [], 1_120_000);
      expect(await store.leases.dropExpired()).toEqual([]);
      clock.advance(60_000);
      expect(await store.leases.dropExpired()).toMatchObject([{ holder: 'silent' }]);
      expect(await stateOf(store, renewed.id)).toBe('leased');
      expect(await stateOf(store, left.id)).toBe('ready');
    });

    it('are taken again by who renews what somebody has dropped', async () => {
      const { store, clock } = await open();
      const [usable, lost] = [await readySandbox(store), await readySandbox(store)];
      const taken = [await store.leases.take(leaseOf(usable)), await store.leases.take(leaseOf(lost))];
      clock.advance(1_000_000);
      expect(await store.leases.dropExpired(() => true)).toEqual([]);
      expect(await store.leases.dropExpired()).toHaveLength(2);
      await store.ledger.move(lost.id, 'failed');
      await store.leases.renew(
        taken.filter(lease => lease !== undefined),
        9_000_000,
      );
      expect(await store.leases.list()).toMatchObject([{ id: taken[0]?.id, expiresAt: 9_000_000 }]);
      expect([await stateOf(store, usable.id), await stateOf(store, lost.id)]).toEqual(['leased', 'failed']);
    });

    it('hold a sandbox that is no session’s', async () => {
      const { store } = await open();
      const id = await newSandbox(store);
      await store.ledger.move(id, 'ready');
      const lease = { sandboxId: id, holder: 'me', purpose: 'run', expiresAt: 1_060_000 };
      const { id: sessionId } = await store.sessions.enter(chat('a'));
      expect(await store.leases.take({ ...lease, sessionId })).toBeUndefined();
      expect(await store.leases.take({ ...lease, sessionId: null })).toMatchObject({ sessionId: null });
      expect(await stateOf(store, id)).toBe('leased');
    });

    it('do not bring a sandbox back that was lost meanwhile', async () => {
      const { store } = await open();
      const sandbox = await readySandbox(store);
      const lease = await store.leases.take(leaseOf(sandbox));
      await store.ledger.move(sandbox.id, 'failed', { problem: 'the container is gone' });
      await store.leases.release(lease?.id ?? '');
      expect(await store.ledger.find(sandbox.id)).toMatchObject({
        state: 'failed',
        problem: 'the container is gone',
      });
    });
  });

  describe('processes', () => {
    it('keep their sandbox busy until they end; the first end counts, and is told once', async () => {
      const { store, clock } = await open();
      const { id: sandboxId } = await readySandbox(store);
      const [server, job] = [
        { sandboxId, id: 'server' },
        { sandboxId, id: 'job' },
      ];
      await store.processes.enter({ ...server, command: 'serve', checkIntervalMs: 30_000 });
      await store.processes.enter({ ...job, command: 'make' });
      await store.processes.end(job, { state: 'exited', code: 2 });
      clock.advance(1);
      await store.processes.end(job, { state: 'ended' });
      expect(await store.processes.busySandboxes()).toEqual([sandboxId]);
      expect(await store.processes.untold()).toMatchObject([{ id: 'job', state: 'exited', code: 2 }]);
      await store.processes.markTold(job);
      expect(await store.processes.untold()).toEqual([]);
      await store.processes.checked(job, 'late');
      await store.processes.checked(server, 'so far');
      const checked = { id: 'server', lastOutput: 'so far', checkIntervalMs: 30_000 };
      expect(await store.processes.untoldProgress()).toMatchObject([checked]);
      await store.processes.markProgressTold(server);
      expect(await store.processes.untoldProgress()).toEqual([]);
      await store.processes.checked(server);
      await store.processes.endAll(sandboxId);
      expect(await store.processes.untoldProgress()).toEqual([]);
      expect(await store.processes.busySandboxes()).toEqual([]);
      expect(await store.processes.list(sandboxId)).toMatchObject([
        { id: 'job', state: 'exited', endedAt: 1_000_000 },
        { id: 'server', state: 'ended', endedAt: 1_000_001 },
      ]);
    });
  });
});
