// Requests of strangers, wrong approvals, and where people are reached, on every database.
import { describe, expect, it } from 'vitest';
import { approveCode } from '../../../src/gateway/pairing.ts';
import { hashCode } from '../../../src/gateway/pairing-code.ts';
import { databases } from './databases.ts';

const HOUR = 3_600_000;
const request = (userId: string, over: { codeHash?: string; expiresAt?: number } = {}) => ({
  ...{ platform: 'web', userId, name: 'Ann', codeHash: 'hash', event: { text: 'hello \0 \ud800' } },
  ...{ expiresAt: 1_000_000 + HOUR, ...over },
});

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  describe('requests', () => {
    it('are one for a person, and the last one counts', async () => {
      const { store, clock } = await open();
      const first = await store.pairings.ask(request('1'));
      clock.advance(5);
      const second = await store.pairings.ask({ ...request('1'), name: 'Ann B.' });
      expect(second.id).not.toBe(first.id);
      expect(await store.pairings.pending()).toEqual([second]);
      expect(second).toMatchObject({ name: 'Ann B.', createdAt: 1_000_005, event: request('1').event });
    });

    it('wait in the order of their coming, each on its platform', async () => {
      const { store, clock } = await open();
      for (const userId of ['b', 'a', 'c']) {
        await store.pairings.ask(request(userId));
        clock.advance(1);
      }
      await store.pairings.ask({ ...request('a'), platform: 'other' });
      const ids = async (platform?: string) =>
        (await store.pairings.pending(platform)).map(({ userId }) => userId);
      expect(await ids('web')).toEqual(['b', 'a', 'c']);
      expect(await ids()).toEqual(['b', 'a', 'c', 'a']);
    });

    it('are worth nothing once their time is over', async () => {
      const { store, clock } = await open();
      const { id } = await store.pairings.ask(request('1'));
      clock.advance(HOUR);
      expect(await store.pairings.pending()).toEqual([]);
      expect(await store.pairings.approve(id, 'cli')).toBeUndefined();
      await store.pairings.expire();
      expect(await store.pairings.clearPending()).toBe(0);
    });

    it('keep their message once they are approved, until it has been dealt with', async () => {
      const { store, clock } = await open();
      const [kept, other] = [await store.pairings.ask(request('1')), await store.pairings.ask(request('2'))];
      await store.pairings.approve(kept.id, 'cli');
      expect(await store.pairings.approve(kept.id, 'cli')).toBeUndefined();
      await store.pairings.renew(kept.id, { codeHash: 'new', expiresAt: 1 });
      clock.advance(2 * HOUR);
      await store.pairings.expire();
      expect(await store.pairings.approved()).toMatchObject([
        { id: kept.id, codeHash: 'hash', decidedBy: 'cli' },
      ]);
      await store.pairings.remove(kept.id);
      await store.pairings.removeOf(other);
      expect(await store.pairings.approved()).toEqual([]);
    });
  });

  describe('wrong codes', () => {
    it('lock approving for an hour, for the right code too, however parallel they come', async () => {
      const { store, second, clock } = await open();
      const other = await second();
      await store.pairings.ask(request('1', { codeHash: await hashCode('K7QM2XWP'), expiresAt: 9e12 }));
      const attempt = (by: typeof store, code: string) =>
        approveCode(by, clock, { platform: 'web', code, by: 'cli' });
      const wrong = await Promise.all(
        Array.from({ length: 12 }, (_, at) => attempt(at % 2 ? store : other, 'AAAAAAAA')),
      );
      expect(wrong.filter(({ kind }) => kind === 'wrong')).toHaveLength(4);
      expect(wrong.filter(({ kind }) => kind === 'locked')).toHaveLength(8);
      const until = 1_000_000 + HOUR;
      expect(await attempt(store, 'K7QM2XWP')).toEqual({ kind: 'locked', until });
      expect(await store.pairings.locked()).toMatchObject([{ platform: 'web', lockedUntil: until }]);
      expect(await store.people.list()).toEqual([]);

      clock.advance(HOUR);
      expect(await store.pairings.locked()).toEqual([]);
      expect(await attempt(store, 'k7qm-2xwp')).toMatchObject({ kind: 'approved' });
      expect(await store.people.list()).toMatchObject([
        { platform: 'web', userId: '1', name: 'Ann', role: 'user', standing: 'allowed', decidedBy: 'cli' },
      ]);
      expect(await attempt(store, 'K7QM2XWP')).toEqual({ kind: 'wrong', triesLeft: 4 });
    });

    it('do not lock another platform, and are forgotten with a right one', async () => {
      const { store, clock } = await open();
      const attempt = (platform: string, code: string) =>
        approveCode(store, clock, { platform, code, by: 'cli' });
      await store.pairings.ask(request('1', { codeHash: await hashCode('K7QM2XWP') }));
      for (const _ of [1, 2, 3, 4]) await attempt('web', 'AAAAAAAA');
      expect(await attempt('other', 'K7QM2XWP')).toEqual({ kind: 'wrong', triesLeft: 4 });
      expect(await attempt('web', 'K7QM2XWP')).toMatchObject({ kind: 'approved' });
      expect(await attempt('web', 'AAAAAAAA')).toEqual({ kind: 'wrong', triesLeft: 4 });
    });
  });

  it('people are seen with their name and private chat, and only if there is a decision', async () => {
    const { store } = await open();
    const person = { platform: 'web', userId: '1' };
    await store.people.see(person, { name: 'Ann', chat: 'dm' });
    expect(await store.people.list()).toEqual([]);
    await store.people.decide({ ...person, role: 'owner', standing: 'allowed', decidedBy: 'cli' });
    await store.people.see(person, { name: 'Ann', chat: 'dm' });
    await store.people.see(person, { name: 'Anna' });
    expect(await store.people.find(person)).toMatchObject({ name: 'Anna', chat: 'dm', decidedBy: 'cli' });
  });
});
