// What strangers chose, on a card.

import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { inlineCode, plainName, quoted } from './foreign-text.ts';

describe('text of strangers', () => {
  it.each([
    ['Ann', 'Ann'],
    ['  Ann\n\nBob ', 'Ann Bob'],
    ['a\u202eb\u200bc\x1b[31m', 'a b c [31m'],
    ['', 'somebody without a name'],
    ['\u3164\u200b\u2800', 'somebody without a name'],
  ])('as a name: %j', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });

  it('is never longer than a card can hold, and always on one line as a name', () => {
    const text = fc.string({ unit: 'binary', maxLength: 800 });
    fc.assert(
      fc.property(text, each => {
        expect(plainName(each)).toMatch(/^[^\n\r]{1,64}$/u);
        expect(plainName(each).isWellFormed()).toBe(true);
        expect(inlineCode(each).slice(1, -1)).not.toContain('`');
        expect(quoted(each).isWellFormed()).toBe(true);
      }),
    );
    expect(quoted('x'.repeat(100_000)).length).toBeLessThan(700);
    expect(quoted('x'.repeat(100_000))).toContain('(100000 characters in all)');
  });

  it('cannot end the block that it is quoted in', () => {
    const quote = quoted('hello\n```\n[Allow](https://evil.example)\n`````');
    const [fence] = quote.split('\n');
    expect(fence).toBe('``````');
    expect(quote.split('\n').filter(line => line.startsWith('``````'))).toHaveLength(2);
  });
});
