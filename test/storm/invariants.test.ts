import { describe, expect, it } from 'vitest';
import { violationsOf } from './invariants.ts';
import type { StormRecord } from './record.ts';

const survived: StormRecord = {
  said: [
    { chat: '1', token: 'talk-1' },
    { chat: '1', token: 'work-2' },
    { chat: '2', token: 'noise-3' },
    { chat: '2', token: 'talk-4' },
  ],
  shown: [
    { chat: '1', text: 'Answer to talk-1.' },
    { chat: '2', text: 'I was restarted while I worked on your message.' },
    { chat: '1', text: 'Answer to work-2.' },
    { chat: '1', text: '(repeated) Answer to work-2.' },
    { chat: '2', text: 'Answer to talk-4.' },
  ],
  received: [
    { chat: '1', text: 'Answer to talk-1.' },
    { chat: '1', text: 'Answer to work-2.' },
  ],
  effects: [{ chat: '1', token: 'work-2' }],
  reported: ['work-2'],
  kills: 0,
  unsettled: [],
  left: [],
};

describe('a storm', () => {
  it('that was survived has no violation', () => {
    expect(violationsOf(survived)).toEqual([]);
  });

  const [talk, cut, work, repeated, last] = survived.shown;
  it.each<[string, Partial<StormRecord>, string]>([
    ['an answer is missing', { shown: survived.shown.slice(1) }, 'not answered in chat 1: talk-1'],
    [
      'a mark is missing',
      { shown: survived.shown.filter(each => each !== cut) },
      'not answered in chat 2: noise-3',
    ],
    [
      'an answer came twice',
      { shown: [...survived.shown, { chat: '1', text: 'Answer to talk-1.' }] },
      'answered twice without a mark: talk-1',
    ],
    [
      'answers changed places',
      { shown: [work, talk, cut, repeated, last].filter(each => each !== undefined) },
      'order in chat 1: work-2,talk-1 instead of talk-1,work-2',
    ],
    [
      'an answer went to another chat',
      { shown: [...survived.shown, { chat: '1', text: '(repeated) Answer to talk-4.' }] },
      'answered in chat 1, said in 2: talk-4',
    ],
    [
      'an answer to nothing',
      { shown: [...survived.shown, { chat: '1', text: 'Answer to talk-9.' }] },
      'said in none',
    ],
    [
      'a repeat of what was never sent',
      { received: [] },
      '1 repeats of what was never being sent, with 0 kills',
    ],
    ['a command ran twice', { effects: [...survived.effects, ...survived.effects] }, 'done twice: work-2'],
    [
      'a command ran elsewhere',
      { effects: [{ chat: '2', token: 'work-2' }] },
      'where nobody asked for it: work-2',
    ],
    ['an effect was lost', { effects: [] }, 'reported as done and lost: work-2'],
    ['a row is left', { unsettled: ['outbox 7 waiting'] }, 'unsettled: outbox 7 waiting'],
    ['something is left behind', { left: ['container x'] }, 'left behind: container x'],
  ])('in which %s is noticed', (_what, change, violation) => {
    expect(violationsOf({ ...survived, ...change }).join('\n')).toContain(violation);
  });

  it('one mark stands for all messages of a run, and for no other', () => {
    const cutOff = (...runs: readonly string[]) =>
      violationsOf({
        ...survived,
        said: [...survived.said, ...runs.map((run, at) => ({ chat: '3', token: `talk-${at + 7}`, run }))],
        shown: [...survived.shown, { chat: '3', text: 'I was restarted while I worked on your message.' }],
      });
    expect(cutOff('a', 'a')).toEqual([]);
    expect(cutOff('a', 'b')).toEqual([
      'not answered in chat 3: talk-7, talk-8, and 1 messages say that something was cut off',
    ]);
  });

  it('a repeat may follow a kill between the mark and the request', () => {
    expect(violationsOf({ ...survived, received: [], kills: 1 })).toEqual([]);
  });
});
