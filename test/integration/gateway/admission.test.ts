// The door of the gateway: people pass, strangers ask, owners answer (P1).
import { describe, expect, it } from 'vitest';
import type { HeldMessage } from '../../../src/gateway/admission.ts';
import { approveCode } from '../../../src/gateway/pairing.ts';
import { codeIn, type FrontDoor, message, press, useFrontDoors } from './front-door.ts';

const MINUTE = 60_000;
const open = useFrontDoors();

const letIn = (door: FrontDoor, userId: string, role: 'owner' | 'user' = 'user') =>
  door.store.people.decide({ platform: 'telegram', userId, role, standing: 'allowed', decidedBy: 'test' });

async function replay(door: FrontDoor): Promise<HeldMessage[]> {
  const held: HeldMessage[] = [];
  await door.admission.takeApproved(async each => held.push(each));
  return held;
}

describe('people', () => {
  it('pass with their role', async () => {
    const door = await open();
    await letIn(door, '1', 'owner');
    door.rules.allowed = ['2'];
    expect(await door.admit(message('1', 'hi'))).toEqual({
      person: 'telegram:1',
      name: 'Name of 1',
      role: 'owner',
    });
    expect(await door.admit(message('2', 'hi'))).toMatchObject({ person: 'telegram:2', role: 'user' });
    expect(await door.admit(message('1', 'hi'), 'discord')).toBeUndefined();
    expect(await door.admission.ownerChats()).toEqual([
      { platform: 'telegram', chat: { id: '1', kind: 'private' } },
    ]);
  });

  it('are reached where they were last seen in private', async () => {
    const door = await open();
    await letIn(door, '1', 'owner');
    await door.admit(message('1', 'hi', { chat: { id: 'dm-7', kind: 'private' } }));
    await door.admit(message('1', 'hi', { chat: { id: 'group', kind: 'group' } }));
    expect(await door.admission.ownerChats()).toMatchObject([{ chat: { id: 'dm-7' } }]);
    expect(await door.store.people.list()).toMatchObject([{ name: 'Name of 1' }]);
  });

  it('who are denied get nothing, not even a reply', async () => {
    const door = await open();
    await letIn(door, '1');
    await door.store.people.decide({
      ...{ platform: 'telegram', userId: '1', role: 'user', standing: 'denied', decidedBy: 'cli' },
    });
    door.rules.allowAll = true;
    expect(await door.admit(message('1', 'hi'))).toBeUndefined();
    expect(door.said).toEqual([]);
    expect(await door.store.pairings.pending()).toEqual([]);
  });

  it('who do not speak to the agent are not listened to', async () => {
    const door = await open();
    await letIn(door, '1');
    expect(await door.admit(message('1', 'lunch?', { isAddressed: false }))).toBeUndefined();
  });
});

describe('strangers (P1)', () => {
  it('get a code once in ten minutes, and leave nothing but the request', async () => {
    const door = await open();
    for (const text of ['hello', 'hello?', 'HELLO']) {
      expect(await door.admit(message('66', text))).toBeUndefined();
      door.clock.advance(MINUTE);
    }
    expect(door.said).toHaveLength(1);
    expect(door.said[0]).toMatchObject({ platform: 'telegram', chat: { id: '66' } });
    const code = codeIn(door.said[0]?.text);
    expect(code).toHaveLength(8);
    const pending = await door.store.pairings.pending();
    expect(pending).toMatchObject([{ userId: '66', event: { text: 'hello' } }]);
    expect(JSON.stringify(pending)).not.toContain(code);
    expect(await door.store.people.list()).toEqual([]);
    expect(await door.store.sessions.list({ which: 'all', limit: 10 })).toEqual([]);
    expect(await door.store.inbox.waiting()).toEqual([]);
  });

  it('are shown to the owners once, with their words as words', async () => {
    const door = await open();
    const evil = { id: '66', name: 'Ann`\n# Owner [x](https://evil.example)' };
    const files = [{ name: 'a.pdf', ref: 1 }];
    await door.admit(message('66', '**hi**\n```\nAllow me', { sender: evil, files }));
    door.clock.advance(11 * MINUTE);
    await door.admit(message('66', 'again', { sender: evil }));
    expect(door.cards).toHaveLength(1);
    const [card] = door.cards;
    expect(card?.text).toContain('`Annˋ # Owner [x](https://evil.example)` (`telegram:66`)');
    expect(card?.text).toContain('````\n**hi**\n```\nAllow me\n[file: a.pdf]\n````');
    expect(card?.buttons?.[0]?.map(({ label }) => label)).toEqual(['Allow', 'Deny']);
    for (const { data } of card?.buttons?.[0] ?? []) expect(data.length).toBeLessThanOrEqual(64);
    expect(door.said).toHaveLength(2);
    expect(codeIn(door.said[1]?.text)).not.toBe(codeIn(door.said[0]?.text));
  });

  it('are not answered in groups, and no code appears there', async () => {
    const door = await open();
    const chat = { id: '-100', kind: 'group' } as const;
    expect(await door.admit(message('66', 'hello bot', { chat }))).toBeUndefined();
    expect(await door.admit(press('66', 'pair+:x'))).toBeUndefined();
    expect([door.said, door.cards, await door.store.pairings.pending()]).toEqual([[], [], []]);
    expect(door.admission.remembered).toBe(0);
  });

  it('are ignored where the operator wants that', async () => {
    const door = await open();
    door.rules.strangers = 'ignore';
    await door.admit(message('66', 'hello'));
    expect([door.said, door.cards, await door.store.pairings.pending()]).toEqual([[], [], []]);
  });

  it('hold the first thing that they say, not the command that opens the chat', async () => {
    const door = await open();
    await door.admit(message('66', '/start'));
    await door.admit(message('66', '/help'));
    await door.admit(message('66', 'what is 2 + 2?'));
    await door.admit(message('66', 'and delete everything'));
    expect(await door.store.pairings.pending()).toMatchObject([{ event: { text: 'what is 2 + 2?' } }]);
  });

  it('do not lose their place by a platform that cannot be reached, and its failure is logged', async () => {
    const door = await open();
    const connection = { send: () => Promise.reject(new Error('blocked by the user')) };
    await door.admission.admit(message('66', 'hello'), { platform: 'telegram', connection });
    await door.admission.settle();
    expect(await door.store.pairings.pending()).toHaveLength(1);
    expect(door.log()).toContain('blocked by the user');
  });
});

describe('an owner’s answer', () => {
  async function asked(): Promise<{ door: FrontDoor; allow: string; deny: string; id: string }> {
    const door = await open();
    await letIn(door, '1', 'owner');
    await letIn(door, '2');
    await door.admit(message('66', 'what is 2 + 2?'));
    const [allow, deny] = door.cards[0]?.buttons?.[0] ?? [];
    const [{ id } = { id: '' }] = await door.store.pairings.pending();
    return { door, allow: allow?.data ?? '', deny: deny?.data ?? '', id };
  }

  it('lets the stranger in, and the held message comes as it was', async () => {
    const { door, allow } = await asked();
    expect(await door.admit(press('1', allow))).toBeUndefined();
    expect(door.edits).toEqual(['`Name of 66` (`telegram:66`) is allowed.']);
    expect(door.approvals()).toBe(1);
    const held = await replay(door);
    expect(held).toEqual([{ platform: 'telegram', event: message('66', 'what is 2 + 2?') }]);
    expect(await replay(door)).toEqual([]);
    expect(await door.admit(message('66', 'thanks'))).toMatchObject({ person: 'telegram:66', role: 'user' });
    expect(await door.store.audit.list({ limit: 9 })).toMatchObject([
      { actor: 'telegram:1', action: 'pairing', subject: 'telegram:66', outcome: 'approved' },
    ]);
  });

  it('keeps the stranger out for good', async () => {
    const { door, deny, allow } = await asked();
    await door.admit(press('1', deny));
    expect(await replay(door)).toEqual([]);
    door.clock.advance(120 * MINUTE);
    await door.admit(message('66', 'hello?'));
    expect(door.said).toHaveLength(1);
    expect(door.cards).toHaveLength(1);
    await door.admit(press('1', allow));
    expect(door.pressed.at(-1)).toContain('This request is over');
    expect(await door.store.people.find({ platform: 'telegram', userId: '66' })).toMatchObject({
      standing: 'denied',
    });
  });

  it('counts from an owner only', async () => {
    const { door, allow } = await asked();
    expect(await door.admit(press('2', allow))).toBeUndefined();
    expect(await door.admit(press('66', allow))).toBeUndefined();
    expect(door.pressed).toEqual(['Only an owner can answer this.']);
    expect(await door.admit(press('2', 'approval:other'))).toMatchObject({ person: 'telegram:2' });
    expect(await door.store.pairings.pending()).toHaveLength(1);
  });

  it('comes by a command where there are no buttons; other ids are not its business', async () => {
    const { door, id } = await asked();
    expect(await door.admit(message('2', `/approve ${id}`))).toMatchObject({ person: 'telegram:2' });
    expect(await door.admit(message('1', '/approve k3v9'))).toMatchObject({ person: 'telegram:1' });
    expect(await door.admit(message('1', `/approve ${id}`))).toBeUndefined();
    expect(door.said.at(-1)?.text).toContain('is allowed');
    expect(await replay(door)).toHaveLength(1);
  });

  it('does not count after an hour', async () => {
    const { door, allow } = await asked();
    door.clock.advance(60 * MINUTE);
    await door.admit(press('1', allow));
    expect(door.edits).toEqual([expect.stringContaining('This request is over')]);
    expect(await replay(door)).toEqual([]);
  });

  it('and the held message survive a restart, also one that falls into the replay (P12)', async () => {
    const { door, allow } = await asked();
    const next = await door.restart();
    await next.admit(press('1', allow));
    const broken = next.admission.takeApproved(() => Promise.reject(new Error('killed')));
    await expect(broken).rejects.toThrow('killed');
    expect(await next.admission.takeApproved(async () => false)).toBe(0);
    const third = await next.restart();
    expect(await replay(third)).toHaveLength(1);
    expect(await replay(await third.restart())).toEqual([]);
  });

  it('by the CLI is found beside the running gateway', async () => {
    const { door } = await asked();
    const code = codeIn(door.said[0]?.text);
    const attempt = { platform: 'telegram', code: code.toLowerCase(), by: 'cli' };
    expect(await approveCode(door.store, door.clock, attempt)).toMatchObject({ kind: 'approved' });
    expect(await replay(door)).toMatchObject([{ event: { text: 'what is 2 + 2?' } }]);
  });
});

describe('a restart', () => {
  it('gives nobody a second code within ten minutes, and a new one afterwards', async () => {
    const door = await open();
    await door.admit(message('66', 'hello'));
    const next = await door.restart();
    await next.admit(message('66', 'hello again'));
    expect(next.said).toEqual([]);
    next.clock.advance(10 * MINUTE);
    await next.admit(message('66', 'hello again'));
    expect(next.said).toHaveLength(1);
    expect(next.cards).toEqual([]);
    const code = codeIn(next.said[0]?.text);
    const attempt = (text: string) =>
      approveCode(next.store, next.clock, { platform: 'telegram', code: text, by: 'cli' });
    expect(await attempt(codeIn(door.said[0]?.text))).toMatchObject({ kind: 'wrong' });
    expect(await attempt(code)).toMatchObject({ kind: 'approved' });
  });
});
