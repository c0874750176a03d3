import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../test/cpu.ts';
import { fc, runs } from '../../test/property.ts';
import { splitText } from './split-text.ts';

const bare = (text: string): string => text.replace(/\s+/g, '');
const code = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at};`).join('\n');

describe('splitText', () => {
  it('leaves what fits as it is', () => {
    expect(splitText('one\n\ntwo', 20)).toEqual(['one\n\ntwo']);
    expect(splitText(' \n ', 20)).toEqual([]);
  });

  it('splits between paragraphs, then lines, then words', () => {
    expect(splitText('one two\n\nthree four', 12)).toEqual(['one two', 'three four']);
    expect(splitText('one two\nthree four', 12)).toEqual(['one two', 'three four']);
    expect(splitText('one two three', 9)).toEqual(['one two', 'three']);
    expect(splitText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('keeps a fence whole that fits into a message', () => {
    const fence = `\`\`\`ts\n${code(3)}\n\n${code(2)}\n\`\`\``;
    const parts = splitText(`${'word '.repeat(12)}\n${fence}\nafter`, 70);
    expect(parts).toContain(`${fence}\nafter`);
  });

  it('closes and opens again a fence that is longer than a message', () => {
    const parts = splitText(`before\n~~~sh\n${code(20)}\n~~~\nafter`, 60);
    const middle = parts.filter(part => part.startsWith('~~~sh\n'));
    expect(middle.length).toBeGreaterThan(2);
    for (const part of middle.slice(0, -1)) expect(part.endsWith('\n~~~')).toBe(true);
    const lines = middle
      .join('\n')
      .split('\n')
      .filter(line => line.startsWith('line'));
    expect(lines.join('\n')).toBe(code(20));
    expect(parts.at(-1)).toMatch(/~~~\nafter$/);
  });

  it('takes a fence without an end for code, and a shorter mark inside for code too', () => {
    const parts = splitText(`\`\`\`\`\n${code(8)}\n\`\`\`\n${code(8)}`, 70);
    for (const part of parts) expect(part).toMatch(/^````\n[\s\S]*/);
    expect(parts.join('\n')).toContain('\n```\n');
  });

  it('keeps characters whole, as people see them', () => {
    expect(splitText('👍🏽👍🏽👍🏽', 6)).toEqual(['👍🏽', '👍🏽', '👍🏽']);
    expect(splitText('a😀😀', 2)).toEqual(['a', '😀', '😀']);
  });

  it('loses nothing, and makes no part too long or blank', () => {
    const line = fc.oneof(
      fc.constantFrom('```', '```js', '~~~', '````', '', '  ', '- item', '# head'),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    const text = fc.array(line, { maxLength: 60 }).map(lines => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 120 }), (whole, limit) => {
        const parts = splitText(whole, limit);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe('');
          expect(part.isWellFormed()).toBe(true);
        }
        // Fences are added where one is cut.
        const withoutFences = (each: string): string => bare(each).replace(/[`~js]/g, '');
        expect(withoutFences(parts.join(''))).toBe(withoutFences(whole));
      }),
      runs(300),
    );
  });

  it.each([
    ['one word', 'x'],
    ['words', 'word '],
    ['lines', 'line\n'],
    ['paragraphs', 'text\n\n'],
    ['fences', '```js\na;\n```\n\ntext\n\n'],
    ['openings', '```\n'],
    ['spaces', ' '],
    ['blank lines', ' \n'],
  ])('takes no more than linear time for a megabyte of %s', (_, unit) => {
    const textOf = (length: number): string => `${unit.repeat(length / unit.length)}x`;
    expectLinear(1_000_000, length => splitText(textOf(length), 4096));
    expect(splitText(textOf(1_000_000), 4096).every(part => part.length <= 4096)).toBe(true);
  });
});
