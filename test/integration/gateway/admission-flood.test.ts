// Strangers in masses: what they can bring about is bounded, and they keep nobody out for long (P1).

import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '../../../src/platforms/platform.ts';
import { fc, runs } from '../../property.ts';
import { codeIn, type FrontDoor, message, useFrontDoors } from './front-door.ts';

const MINUTE = 60_000;
const FLOOD = 10_000;
const open = useFrontDoors();

async function flood(door: FrontDoor, event: (at: number) => PlatformEvent): Promise<void> {
  let admitted = 0;
  for (let at = 0; at < FLOOD; at++) if (await door.admit(event(at))) admitted++;
  expect(admitted).toBe(0);
}

/** Nothing of the conversation, of its sandboxes or of the people has come to be. */
async function expectNoEffect({ store }: FrontDoor): Promise<void> {
  expect(await store.sessions.list({ which: 'all', limit: 1 })).toEqual([]);
  expect(await store.inbox.waiting()).toEqual([]);
  expect(await store.outbox.waiting()).toEqual([]);
  expect(await store.people.list()).toEqual([]);
  expect(await store.audit.list({ limit: 1 })).toEqual([]);
}

describe('a flood of 10,000 messages (P1)', () => {
  it('by one stranger in private gets one reply', async () => {
    const door = await open();
    await flood(door, at => message('66', `spam ${at} ${'x'.repeat(4000)}`));
    expect([door.said.length, door.cards.length, door.admission.remembered]).toEqual([1, 1, 1]);
    expect(await door.store.pairings.pending()).toHaveLength(1);
    await expectNoEffect(door);
  });

  it('by as many strangers in private gets few replies, three requests and three cards', async () => {
    const door = await open();
    await flood(door, at => message(`s${at}`, 'let me in'));
    expect(door.said).toHaveLength(30);
    expect(door.cards).toHaveLength(3);
    expect(await door.store.pairings.pending()).toHaveLength(3);
    expect(door.admission.remembered).toBeLessThanOrEqual(5000);
    await expectNoEffect(door);
  });

  it('in groups gets nothing at all, and nothing is remembered', async () => {
    const door = await open();
    const chat = { id: '-100', kind: 'group' } as const;
    await flood(door, at => message(`s${at % 50}`, `@bot ${at}`, { chat }));
    expect([door.said, door.cards, door.admission.remembered]).toEqual([[], [], 0]);
    expect(await door.store.pairings.pending()).toEqual([]);
    await expectNoEffect(door);
  });

  it('over six hours stays bounded in replies, cards and rows', async () => {
    const door = await open();
    const hours = 6;
    await flood(door, at => {
      door.clock.advance((hours * 60 * MINUTE) / FLOOD);
      return message(`s${at % 5}`, `${at}`);
    });
    // Each of the five gets one in ten minutes.
    expect(door.said.length).toBeLessThanOrEqual(5 * (hours * 6 + 1));
    expect(door.cards.length).toBeLessThanOrEqual(6 * (hours + 1));
    expect(await door.store.pairings.pending()).toHaveLength(3);
  });

  it('does not keep people out: each of their messages goes through', async () => {
    const door = await open();
    await door.store.people.decide({
      ...{ platform: 'telegram', userId: '1', role: 'user', standing: 'allowed', decidedBy: 'cli' },
    });
    for (let at = 0; at < 300; at++) {
      expect(await door.admit(message(`s${at}`, 'let me in'))).toBeUndefined();
      expect(await door.admit(message('1', 'hi'))).toBeDefined();
    }
  });
});

describe('places', () => {
  it('cannot be held by two strangers against a third, however much they write', async () => {
    const door = await open();
    for (let at = 0; at < 50; at++) for (const id of ['66', '67']) await door.admit(message(id, `${at}`));
    await door.admit(message('5', 'hello, it is me'));
    expect(codeIn(door.said.at(-1)?.text)).toHaveLength(8);
    expect(door.said.at(-1)).toMatchObject({ chat: { id: '5' } });
  });

  it('cannot be held by three strangers who write much against a fourth', async () => {
    const door = await open();
    for (let at = 0; at < 50; at++) {
      door.clock.advance(1);
      for (const id of ['66', '67', '68']) await door.admit(message(id, `${at}`));
    }
    await door.admit(message('5', 'hello, it is me'));
    expect(codeIn(door.said.at(-1)?.text)).toHaveLength(8);
    const pending = await door.store.pairings.pending();
    expect(pending.map(({ userId }) => userId)).toContain('5');
  });

  it('cannot be held by quiet strangers for longer than ten minutes', async () => {
    const door = await open();
    for (const id of ['66', '67', '68']) await door.admit(message(id, 'hi'));
    door.clock.advance(MINUTE);
    for (let at = 0; at < 5; at++) await door.admit(message('5', 'hello'));
    expect(door.said).toHaveLength(4);
    expect(door.said.at(-1)?.text).toContain('Try again in 9 minutes');
    expect(door.said.at(-1)?.text).toContain('hermes people allow telegram:5');
    door.clock.advance(10 * MINUTE);
    await door.admit(message('5', 'hello'));
    expect(codeIn(door.said.at(-1)?.text)).toHaveLength(8);
  });

  it('are kept for ten minutes by whoever has one, however many others come', async () => {
    const door = await open();
    await door.admit(message('5', 'hello'));
    for (let at = 0; at < 590; at++) {
      door.clock.advance(1000);
      await door.admit(message(`s${at}`, 'hi'));
    }
    expect((await door.store.pairings.pending()).map(({ userId }) => userId)).toContain('5');
  });

  it('of one platform are not taken by another', async () => {
    const door = await open();
    for (const id of ['66', '67', '68']) await door.admit(message(id, 'hi'));
    await door.admit(message('66', 'hi'), 'discord');
    expect(codeIn(door.said.at(-1)?.text)).toHaveLength(8);
    expect(await door.store.pairings.pending()).toHaveLength(4);
  });
});

describe('whatever events come', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('/claim', '/claim AAAAAAAA', '/approve x', '/deny', '\0', '\ud800', '`'.repeat(700)),
  );
  const id = fc.oneof(
    fc.constantFrom('', '1', '12345@evil.example', 'telegram:1', 'x'.repeat(300), '\0'),
    text,
  );
  const chat = fc.record({ id, kind: fc.constantFrom('private' as const, 'group' as const) });
  const sender = fc.record({ id, name: text });
  const event: fc.Arbitrary<PlatformEvent> = fc.oneof(
    fc.record({
      ...{ kind: fc.constant('message' as const), id, chat, sender, text, isAddressed: fc.boolean() },
      files: fc.array(fc.record({ name: text, ref: fc.jsonValue() }), { maxLength: 2 }),
    }),
    fc.record({
      ...{ kind: fc.constant('button' as const), id, chat, sender, messageId: id },
      data: fc.oneof(text, fc.constantFrom('pair+', 'pair+:', 'pair-:x', 'pair+:x:y', ':')),
    }),
  );

  it('nothing breaks, nobody else gets in, and places stay three', async () => {
    const door = await open();
    await door.admission.openClaim();
    door.rules.allowed = ['1'];
    await fc.assert(
      fc.asyncProperty(event, async each => {
        door.clock.advance(MINUTE);
        const admitted = await door.admit(each);
        expect(admitted === undefined || each.sender.id === '1').toBe(true);
        expect((await door.store.pairings.pending()).length).toBeLessThanOrEqual(3);
      }),
      runs(500),
    );
    expect(await door.store.people.list()).toEqual([]);
  });
});
