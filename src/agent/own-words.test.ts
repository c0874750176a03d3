import { describe, expect, it } from 'vitest';
import { ownWordsIn, withOwnWords } from './own-words.ts';

describe('own words', () => {
  it('come back as they were, whatever they look like', () => {
    const messages = ['build it', 'a\n\n\nb\n> c', '', withOwnWords('x', ['y'], 100)];
    for (const message of messages)
      expect(ownWordsIn(withOwnWords('A summary.', [message], 1000))).toEqual([message]);
    const [first = '', second = '', , last = ''] = messages;
    expect(ownWordsIn(withOwnWords('A summary.', [first, second, last], 1000))).toEqual([
      first,
      second,
      last,
    ]);
  });

  it('are those that were written last', () => {
    expect(ownWordsIn(withOwnWords('s', ['1', '2', '3', '4', '5'], 1000))).toEqual(['3', '4', '5']);
    expect(ownWordsIn(withOwnWords('s', ['x'.repeat(50), 'y'.repeat(50)], 80))).toEqual(['y'.repeat(50)]);
  });

  it('take no more room than they may have, and stay the same from then on', () => {
    const once = ownWordsIn(withOwnWords('s', ['begin '.repeat(100)], 200));
    expect(once[0]).toMatch(/^begin [\s\S]*left out[\s\S]*begin $/);
    expect(ownWordsIn(withOwnWords('s', once, 400))).toEqual(once);
  });

  it('are none where a summary carries none, also when the model copied the heading', () => {
    expect(ownWordsIn('Nothing.')).toEqual([]);
    const copied = withOwnWords('', ['copied'], 100);
    expect(ownWordsIn(withOwnWords(copied, ['real'], 100))).toEqual(['real']);
  });
});
