// One key for one conversation, and no key for two (P3).

import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../test/property.ts';
import { type SessionPlace, sessionOf } from './session-key.ts';

const place = (over: Partial<SessionPlace> = {}): SessionPlace => ({
  platform: 'telegram',
  chat: { id: '-100', kind: 'group' },
  sender: { id: '7' },
  groups: 'session-per-person',
  ...over,
});

describe('sessionOf (P3)', () => {
  it.each<[what: string, over: Partial<SessionPlace>, key: string, rest: object]>([
    ['a group', {}, 'telegram:group:-100:person=7', { chat: '-100', person: '7' }],
    ['a group that shares one', { groups: 'one-session' }, 'telegram:group:-100', { chat: '-100' }],
    [
      'a thread of a group',
      { chat: { id: '-100', kind: 'group', thread: '5' } },
      'telegram:group:-100:thread=5:person=7',
      { chat: '-100', thread: '5', person: '7' },
    ],
    ['a private chat', { chat: { id: '7', kind: 'private' } }, 'telegram:private:7', { chat: '7' }],
  ])('names %s', (_what, over, key, rest) => {
    expect(sessionOf(place(over))).toEqual({ key, kind: 'messaging', platform: 'telegram', ...rest });
  });

  it('takes no id for a part of a key', () => {
    const keyOf = (id: string, thread?: string): string =>
      sessionOf(place({ chat: { id, kind: 'private', ...(thread === undefined ? {} : { thread }) } })).key;
    expect(keyOf('a:thread=1')).not.toBe(keyOf('a', '1'));
    expect(keyOf('%3a.')).not.toBe(keyOf(':'));
  });

  it('gives the same key exactly when platform, chat, thread and person are the same', () => {
    // Ids that imitate the form of a key, and few of them, so that near misses are common.
    const id = fc.oneof(
      fc.constantFrom(
        'a',
        ':',
        '%3a.',
        '%',
        '%25.',
        '\0',
        '%0.',
        '\ud800',
        '%d800.',
        'a:thread=1',
        'thread=1',
      ),
      fc.string({ unit: fc.constantFrom('a', ':', '=', '%', '.', '3'), maxLength: 4 }),
    );
    const chat = fc.record(
      { id, kind: fc.constantFrom('private' as const, 'group' as const), thread: id },
      { requiredKeys: ['id', 'kind'] },
    );
    const groups = fc.constantFrom('session-per-person' as const, 'one-session' as const);
    const places = fc.record({ platform: id, chat, sender: fc.record({ id }), groups });
    const near = fc
      .tuple(places, places)
      .chain(([one, other]) =>
        fc.constantFrom(
          { one, other },
          { one, other: { ...one, platform: other.platform } },
          { one, other: { ...one, chat: { ...one.chat, id: other.chat.id } } },
          { one, other: { ...one, chat: other.chat } },
          { one, other: { ...one, sender: other.sender } },
        ),
      );
    fc.assert(
      fc.property(near, ({ one, other }) => {
        const [a, b] = [sessionOf(one), sessionOf(other)];
        const named = ({ platform, chat: id, thread, person }: typeof a, kind: string) =>
          JSON.stringify([platform, kind, id, thread, person]);
        expect(a.key === b.key).toBe(named(a, one.chat.kind) === named(b, other.chat.kind));
        expect(a.key.isWellFormed()).toBe(true);
      }),
      runs(1000),
    );
  });
});
