// One key for one conversation, and no key for two (P3).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

  it('gives the same key exactly when platform, chat, thread and person are the same', () => {
    // Few letters, so that ids that imitate the form of a key are common.
    const id = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', ':', '=', '%', '.', '3', '\0'), maxLength: 4 }),
      fc.constantFrom('thread=1', 'person=1', ':person=1', '%3a.', 'a:thread=1', '\ud800', '\udc00'),
    );
    const places = fc.record({
      platform: id,
      chat: fc.record(
        { id, kind: fc.constantFrom('private', 'group'), thread: id },
        { requiredKeys: ['id', 'kind'] },
      ),
      sender: fc.record({ id }),
      groups: fc.constantFrom('session-per-person', 'one-session'),
    }) as fc.Arbitrary<SessionPlace>;
    fc.assert(
      fc.property(places, places, (one, other) => {
        const [a, b] = [sessionOf(one), sessionOf(other)];
        const named = ({ platform, chat, thread, person }: typeof a, kind: string) =>
          JSON.stringify([platform, kind, chat, thread, person]);
        expect(a.key === b.key).toBe(named(a, one.chat.kind) === named(b, other.chat.kind));
        expect(a.key.isWellFormed()).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
