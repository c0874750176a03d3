import { describe, expect, it } from 'vitest';
import { readDiscord } from '../../../test/doubles/discord-markdown.ts';
import { fc, runs } from '../../../test/property.ts';
import { escapeText } from './escape.ts';
import { renderMarkdown } from './render.ts';

const render = (markdown: string): string | undefined => renderMarkdown(markdown, 2000);
const shown = (markdown: string): string => readDiscord(render(markdown) ?? markdown);

describe('renderMarkdown', () => {
  it.each([
    ['**bold** _slanted_ ~~gone~~ `code`', '**bold** *slanted* ~~gone~~ `code`'],
    ['__bold, not underlined__', '**bold, not underlined**'],
    ['# Title\ntext', '# Title\ntext'],
    ['##### Small\ntext', '**Small**\ntext'],
    ['one\n\ntwo\nthree', 'one\n\ntwo\nthree'],
    ['```ts\nif (a < b) {}\n```', '```ts\nif (a < b) {}\n```'],
    ['~~~\ncode\n~~~', '```\ncode\n```'],
    ['````\n```\n````', '```\n`\u200B``\n```'],
    ['[site](https://x.org/?a=1)', '[site](https://x.org/?a=1)'],
    ['[site](javascript:alert(1))', 'site (javascript:alert(1))'],
    ['see https://x.org/a_b_c', 'see https://x.org/a_b_c'],
    ['me@example.org', 'me@example.org'],
    ['![cat](https://x.org/cat.png)', '[cat](https://x.org/cat.png)'],
    ['- a\n- b\n  1. c\n  2. d', '- a\n- b\n  1. c\n  2. d'],
    ['- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
    ['> a\n>> b', '> a\n> b'],
    ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
    ['| a | bb |\n|--|--|\n| **1** | `<` |', '```\na | bb\n--+---\n1 | <\n```'],
    ['a || b || c', 'a \\|\\| b \\|\\| c'],
    ['<@42> <#9> <t:1> </stop:1>', '\\<@42> \\<#9> \\<t:1> \\</stop:1>'],
    ['snake_case_name and C:\\path', 'snake_case_name and C:\\path'],
    ['2 * 3 * 4', '2 \\* 3 \\* 4'],
    ['\\*plain\\*', '\\*plain\\*'],
  ])('%j', (markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  it.each(['a || b', '<@42>', '2 * 3', '-# x', '1 < 2 > 0', '~~~', '`', '_a', 'a_', '@everyone'])(
    'shows %j as it is',
    text => {
      expect(shown(text)).toBe(text);
    },
  );

  it('gives up on what became too long, or is nested too deeply, or has nothing to see', () => {
    expect(renderMarkdown('a* '.repeat(30), 100)).toBeUndefined();
    expect(render(`${'>'.repeat(20_000)} x`)).toBeUndefined();
    expect(render(' \n ')).toBeUndefined();
  });

  it('shows every word of any text', () => {
    const words = (text: string): string[] => text.match(/[a-z]{3,}/g) ?? [];
    const piece = fc.oneof(
      fc.constantFrom(
        '**',
        '_',
        '`',
        '~~',
        '||',
        '> ',
        '# ',
        '- ',
        '[',
        '](',
        ')',
        '<@',
        '>',
        '\\',
        '\n',
        '```',
        '|',
      ),
      fc.constantFrom('alpha', 'beta', 'gamma', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const text = pieces.join('');
        const seen = shown(text);
        // Behind a fence stands a language, behind a label an address: those are no words of the text.
        if (/```|\]\(/.test(text)) return;
        for (const word of words(text)) expect(seen, text).toContain(word);
      }),
      runs(500),
    );
  });
});

it('escapeText: what is escaped is shown as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'*_~`|<@#:>[]()\\ab 1-.!'), maxLength: 30 }), text => {
      expect(readDiscord(escapeText(text))).toBe(text.trim());
    }),
    runs(500),
  );
});
