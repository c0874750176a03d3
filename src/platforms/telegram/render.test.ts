import { describe, expect, it } from 'vitest';
import { readHtml } from '../../../test/doubles/telegram-html.ts';
import { fc, runs } from '../../../test/property.ts';
import { renderHtml } from './render.ts';

const html = (markdown: string): string | undefined => renderHtml(markdown, 4096);

describe('renderHtml', () => {
  it.each([
    ['**bold** _slanted_ ~~gone~~ `code`', '<b>bold</b> <i>slanted</i> <s>gone</s> <code>code</code>'],
    ['# Title\ntext', '<b>Title</b>\ntext'],
    ['one\n\ntwo\nthree', 'one\n\ntwo\nthree'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<b>not ours</b>', '&lt;b&gt;not ours&lt;/b&gt;'],
    ['```ts\nif (a < b) {}\n```', '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>'],
    ['```"><b>\nx\n```', '<pre>x</pre>'],
    ['[site](https://x.org/?a=1&b="2")', '<a href="https://x.org/?a=1&amp;b=&quot;2&quot;">site</a>'],
    ['[site](javascript:alert(1))', 'site (javascript:alert(1))'],
    ['[file](./x.txt)', 'file (./x.txt)'],
    ['me@example.org', 'me@example.org'],
    ['![cat](https://x.org/cat.png)', '<a href="https://x.org/cat.png">cat</a>'],
    ['- a\n- b\n  1. c\n  2. d', '• a\n• b\n  1. c\n  2. d'],
    ['- [x] done\n- [ ] open', '• ☑ done\n• ☐ open'],
    ['- text\n  ```\n  a\n    b\n  ```', '• text\n<pre>a\n  b</pre>'],
    ['> a\n>> b', '<blockquote>a\nb</blockquote>'],
    ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
    ['| a | bb |\n|--|--|\n| **1** | `<` |', '<pre>a | bb\n--+---\n1 | &lt;</pre>'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['\\*plain\\*', '*plain*'],
    ['**open', '**open'],
  ])('%j', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('gives up on what it would make empty, too long, or cannot read', () => {
    expect(html('')).toBeUndefined();
    expect(renderHtml('| a | b |\n|--|--|\n| longer | x |', 30)).toBeUndefined();
    expect(html('>'.repeat(4096))).toBeUndefined();
  });

  it('makes only what Telegram can read, and shows every word', () => {
    const piece = fc.oneof(
      fc.constantFrom(
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
        '# ',
      ),
      fc.stringMatching(/^[a-z]{1,6} $/),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const markdown = pieces.join('');
        const rendered = html(markdown);
        if (rendered === undefined) return;
        const { text, entities } = readHtml(rendered);
        const shown = text + entities.map(({ url = '' }) => url).join('');
        // What stands behind a fence names the language.
        const words = markdown.replace(/(`{3,}|~{3,})[^\n]*/g, '');
        for (const [word] of words.matchAll(/\b[a-z]{3,}\b/g)) expect(shown).toContain(word);
      }),
      runs(500),
    );
  });
});
