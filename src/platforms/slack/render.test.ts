import { describe, expect, it } from 'vitest';
import { readMrkdwn } from '../../../test/doubles/slack-mrkdwn.ts';
import { fc, runs } from '../../../test/property.ts';
import { renderMrkdwn } from './render.ts';

describe('renderMrkdwn', () => {
  it.each([
    ['**bold** _slanted_ ~~gone~~ `code`', '*bold* _slanted_ ~gone~ `code`'],
    ['***both***', '_*both*_'],
    ['# Title **now**\ntext', '*Title now*\ntext'],
    ['one\n\ntwo\nthree', 'one\n\ntwo\nthree'],
    ['**two\nlines**', '*two*\n*lines*'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['```ts\nif (a < b) {}\n```', '```\nif (a &lt; b) {}\n```'],
    // Two backticks that are no code would make code of the link between them.
    ['`see https://x.org ```', 'ˋsee <https://x.org> ˋˋˋ'],
    ['[site](https://x.org/?a=1&b=2|3)', '<https://x.org/?a=1&amp;b=2%7C3|site>'],
    ['[a **b**](https://x.org)', '<https://x.org|a b>'],
    ['https://x.org', '<https://x.org>'],
    ['[site](javascript:alert(1))', 'site (javascript:alert(1))'],
    ['[file](./x.txt)', 'file (./x.txt)'],
    ['me@example.org', '<mailto:me@example.org|me@example.org>'],
    ['![cat](https://x.org/cat.png)', '<https://x.org/cat.png|cat>'],
    ['- a\n- b\n  1. c\n  2. d', '• a\n• b\n  1. c\n  2. d'],
    ['- [x] done\n- [ ] open', '• ☑ done\n• ☐ open'],
    ['> a\n>> b', '> a\n> b'],
    ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
    ['| a | bb |\n|--|--|\n| **1** | `<` |', '```\na | bb\n--+---\n1 | &lt;\n```'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['\\*plain\\* and ~/a ~/b', '`*plain*` and ~/a ~/b'],
    ['**open', '**open'],
    ['un**believ**able', 'un\u200B*believ*\u200Bable'],
    ['``a`b``', 'a`b'],
  ])('%j', (markdown, expected) => {
    expect(renderMrkdwn(markdown)).toBe(expected);
  });

  it.each([
    '<!channel>',
    '<@U123>',
    '<#C1>',
    '<!subteam^S1>',
    '@here',
    '[x](!channel)',
    '<@U1|x>',
    '`<!here>`',
    '```\n<!here>\n```',
  ])('calls nobody: %s', text => {
    expect(readMrkdwn(renderMrkdwn(text) ?? '').pings).toEqual([]);
  });

  it('gives up on what it would make empty, or cannot read', () => {
    expect(renderMrkdwn('')).toBeUndefined();
    expect(renderMrkdwn('>'.repeat(9000))).toBeUndefined();
  });

  it('shows every word, calls nobody, and makes every link one of its own', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '**',
          '_',
          '`',
          '```\n',
          '\n',
          '\n\n',
          '> ',
          '- ',
          '1. ',
          '[',
          '](',
          ')',
          '<b>',
          '&lt;',
          '|',
          '~~',
        ],
        ...['# ', '<!channel>', '<@U1>', '*', '~', 'https://x.org '],
      ),
      fc.stringMatching(/^[a-z]{1,6} $/),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const markdown = pieces.join('');
        const rendered = renderMrkdwn(markdown);
        if (rendered === undefined) return;
        const { text, marks, pings } = readMrkdwn(rendered);
        expect(pings).toEqual([]);
        const shown = text + marks.map(({ url = '' }) => url).join('');
        // What stands behind a fence names the language.
        const words = markdown.replace(/(`{3,}|~{3,})[^\n]*/g, '');
        for (const [word] of words.matchAll(/\b[a-z]{3,}\b/g)) expect(shown).toContain(word);
      }),
      runs(500),
    );
  });
});
