import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { GrowingMarkdown } from './growing-markdown.ts';
import { LiveArea } from './live-area.ts';
import { cellsOf, wrapSpans } from './spans.ts';

const plain = { colors: picocolors.createColors(false), columns: 40 };
const colourful = { colors: picocolors.createColors(true), columns: 40 };

function shown(text: string, look = plain): readonly string[] {
  const markdown = new GrowingMarkdown(() => look);
  markdown.add(text);
  return markdown.finish();
}

describe('markdown on a terminal', () => {
  it.each<[string, string, string[]]>([
    [
      'headings and paragraphs',
      '# One\nTwo *three*\n**four**\n\nFive',
      ['One', '', 'Two three', 'four', '', 'Five'],
    ],
    ['lists, also in lists', '- a\n  - b\n- c\n\n1. x\n2. y', ['• a', '  • b', '• c', '', '1. x', '2. y']],
    ['tasks', '- [x] done\n- [ ] open', ['• ☑ done', '• ☐ open']],
    ['code as it is', '```sh\nls -l\n\n  # *x*\n```', ['│ ls -l', '│ ', '│   # *x*']],
    ['quotations', '> a\n> b', ['▏ a', '▏ b']],
    ['tables', '| a | b |\n|---|---|\n| 1 | *2* |', ['a  b', '1  2']],
    [
      'links with their address',
      '[here](https://a.example) https://b.example',
      ['here (https://a.example)', 'https://b.example'],
    ],
    [
      'lines that are too long',
      `${'word '.repeat(9)}end`,
      ['word word word word word word word word', 'word end'],
    ],
    ['markup of web pages as text', 'a <b>c</b>', ['a <b>c</b>']],
    ['an unfinished fence', '```\nx', ['│ x']],
  ])('%s', (_, text, lines) => {
    expect(shown(text)).toEqual(lines);
  });

  it('lets no text control the terminal', () => {
    expect(shown('a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd')).toEqual(['abcd']);
  });

  it('puts colours around each line, not across', () => {
    const [first, second] = shown(`**${'word '.repeat(9)}end**`, colourful);
    expect(first).toMatch(/^\u001b\[1mword\u001b\[22m/);
    expect(second).toContain('\u001b[1mend\u001b[22m');
  });

  it('hands a block over once, when another has begun', () => {
    const markdown = new GrowingMarkdown(() => plain);
    markdown.add('One\n\nTw');
    expect(markdown.take()).toEqual({ kept: ['One'], live: ['', 'Tw'] });
    markdown.add('o\n\n');
    expect(markdown.take()).toEqual({ kept: [], live: ['', 'Two'] });
    markdown.add('- a\n\n');
    expect(markdown.take()).toEqual({ kept: ['', 'Two'], live: ['', '• a'] });
    markdown.add('- b');
    expect(markdown.take()).toEqual({ kept: [], live: ['', '• a', '• b'] });
    expect(markdown.finish()).toEqual(['', '• a', '• b']);
  });

  it('comes to the same in pieces as at once', () => {
    const text = '# T\n\nA *b* `c`\n\n```\nx\n\ny\n```\n- 1\n- 2\n\n| a |\n|---|\n| b |\n\nend';
    const markdown = new GrowingMarkdown(() => plain);
    const kept: string[] = [];
    for (const character of text) {
      markdown.add(character);
      kept.push(...markdown.take().kept);
    }
    expect([...kept, ...markdown.finish()]).toEqual(shown(text));
  });
});

describe('widths', () => {
  it('counts cells', () => {
    expect(['abc', 'äö', '漢字', '👩‍🚀', 'e\u0301', '\u200b'].map(cellsOf)).toEqual([3, 2, 4, 2, 1, 0]);
  });

  it('cuts words that are wider than a line', () => {
    const style = (text: string): string => text;
    expect(wrapSpans([{ text: 'abcdefgh ij', style }], 5)).toEqual(['abcde', 'fgh', 'ij']);
  });
});

describe('the live area', () => {
  it('writes again only from the first line that changed', () => {
    const written: string[] = [];
    const area = new LiveArea({ write: text => written.push(text), size: () => ({ rows: 24 }) });
    area.show([], ['a', 'b']);
    area.show([], ['a', 'c']);
    area.show(['a', 'c'], []);
    area.show([], ['d']);
    expect(written).toEqual(['a\nb\n', '\u001b[1A\r\u001b[Jc\n', 'd\n']);
  });

  it('leaves alone what has scrolled away', () => {
    const written: string[] = [];
    const area = new LiveArea({ write: text => written.push(text), size: () => ({ rows: 3 }) });
    area.show([], ['1', '2', '3', '4']);
    area.show([], ['x', 'x', 'x', 'x']);
    expect(written[1]).toBe('\u001b[2A\r\u001b[Jx\nx\n');
  });
});
