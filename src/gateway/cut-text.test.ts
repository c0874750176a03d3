import { expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { cutText } from './cut-text.ts';

it('leaves text that fits as it is', () => {
  expect(cutText('short', 10)).toEqual(['short', '']);
});

it('cuts between paragraphs, else lines, else words, else anywhere', () => {
  expect(cutText(`${'a'.repeat(50)}\n\n${'b '.repeat(40)}`, 80)[0]).toBe('a'.repeat(50));
  expect(cutText(`${'a'.repeat(50)}\n${'b'.repeat(80)}`, 80)[0]).toBe('a'.repeat(50));
  expect(cutText('word '.repeat(40), 80)[0]).toMatch(/^(word )*word$/);
  expect(cutText('x'.repeat(200), 80)[0]).toBe('x'.repeat(64));
});

it('keeps fences of code whole on both sides, with their language', () => {
  const [head, rest] = cutText(`text\n\`\`\`ts\n${'let a;\n'.repeat(30)}\`\`\`\nend`, 100);
  expect(head).toMatch(/^text\n```ts\n(let a;\n)+```$/);
  expect(rest).toMatch(/^```ts\n(let a;\n)+```\nend$/);
});

it('never exceeds the limit, loses nothing but white space, and never cuts a character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 60, maxLength: 300 }), text => {
      fc.pre(!/[`~]/.test(text));
      const [head, rest] = cutText(text, 50);
      expect(head.length).toBeLessThanOrEqual(50);
      expect(head.isWellFormed()).toBe(text.isWellFormed());
      const bare = (each: string): string => each.replace(/\s/g, '');
      expect(bare(head + rest)).toBe(bare(text));
    }),
  );
});
