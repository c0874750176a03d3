import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { legendOf, marksOf, plainEmoji } from './reactions.ts';
import { render } from './render.ts';

/** The text, and what is in which style. */
const shown = (markdown: string): readonly unknown[] => {
  const { text, styles } = render(markdown, 8000) ?? { text: '', styles: [] };
  return [
    text,
    ...styles.map(range => {
      const [start = 0, length = 0] = range.split(':').map(Number);
      return `${range.split(':')[2]} ${text.slice(start, start + length)}`;
    }),
  ];
};

describe('render', () => {
  it.each([
    [
      '**bold** _slanted_ ~~gone~~ `code`',
      'bold slanted gone code',
      'BOLD bold',
      'ITALIC slanted',
      'STRIKETHROUGH gone',
      'MONOSPACE code',
    ],
    ['# Title\ntext', 'Title\ntext', 'BOLD Title'],
    ['**bold _both_**', 'bold both', 'BOLD bold both', 'ITALIC both'],
    ['one\n\ntwo\nthree', 'one\n\ntwo\nthree'],
    ['a < b && c > d', 'a < b && c > d'],
    ['<b>not ours</b>', '<b>not ours</b>'],
    ['```ts\nif (a) {\n  b\n}\n```', 'if (a) {\n  b\n}', 'MONOSPACE if (a) {\n  b\n}'],
    ['[site](https://x.org/?a=1)', 'site (https://x.org/?a=1)'],
    ['https://x.org', 'https://x.org'],
    ['me@example.org', 'me@example.org'],
    ['- a\n- b\n  1. c\n  2. **d**', '• a\n• b\n  1. c\n  2. d', 'BOLD d'],
    ['- [x] done\n- [ ] open', '• ☑ done\n• ☐ open'],
    ['> a\n>\n> **b**', '> a\n> \n> b', 'BOLD b'],
    ['| a | bb |\n|--|--|\n| **1** | 2 |', 'a | bb\n--+---\n1 | 2', 'MONOSPACE a | bb\n--+---\n1 | 2'],
    ['👩‍👩‍👧 **漢字** 😀', '👩‍👩‍👧 漢字 😀', 'BOLD 漢字'],
    ['\\*plain\\*', '*plain*'],
    ['**open', '**open'],
  ])('%j', (markdown, ...expected) => {
    expect(shown(markdown)).toEqual(expected);
  });

  it('gives up on what it would make empty, too long, or cannot read', () => {
    expect(render('', 8000)).toBeUndefined();
    expect(render('| a | b |\n|--|--|\n| longer | x |', 20)).toBeUndefined();
    expect(render('>'.repeat(8000), 8000)).toBeUndefined();
  });

  it('makes only ranges within the text', () => {
    const parts = fc.constantFrom(
      '**',
      '_',
      '`',
      '~~',
      '```\n',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '# ',
      ' ',
      'ä',
      '😀',
      'word',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), words => {
        const { text, styles } = render(words.join(''), 8000) ?? { text: '', styles: [] };
        for (const range of styles) {
          const [start = -1, length = 0] = range.split(':').map(Number);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(length).toBeGreaterThan(0);
          expect(start + length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

describe('reactions', () => {
  const button = (label: string) => ({ label, data: `data of ${label}` });

  it('are thumbs for yes and no, and numbers for the rest', () => {
    const card = [[button('Once'), button('Session'), button('Always')], [button('Deny')]];
    expect(legendOf(marksOf(card))).toBe('React to answer: 👍 Once · 2️⃣ Session · 3️⃣ Always · 👎 Deny');
    expect(marksOf([[button('Allow'), button('Deny')]]).map(({ emoji }) => emoji)).toEqual(['👍', '👎']);
    expect(marksOf([[button('nothing')], [button('red')]]).map(({ emoji }) => emoji)).toEqual(['1️⃣', '2️⃣']);
  });

  it('are each another one, and there are ten at most', () => {
    const many = Array.from({ length: 12 }, (_, at) => [button(at < 3 ? 'Yes' : `option ${at}`)]);
    const emojis = marksOf(many).map(({ emoji }) => emoji);
    expect(emojis).toHaveLength(10);
    expect(new Set(emojis).size).toBe(10);
    expect(legendOf([])).toBe('');
  });

  it('are the same however an app sends them', () => {
    expect(plainEmoji('👍🏿')).toBe('👍');
    expect(plainEmoji('2️⃣')).toBe(plainEmoji('2\u20E3'));
    expect(plainEmoji('👎')).not.toBe(plainEmoji('👍'));
  });
});
