import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../../test/property.ts';
import { contentsOf, templateText } from './contents.ts';
import { renderText } from './render.ts';

const render = (text: string): string | undefined => renderText(text, 4096);

describe('markdown', () => {
  it.each([
    ['**bold** and __bold__', '*bold* and *bold*'],
    ['*slanted* and _slanted_', '_slanted_ and _slanted_'],
    ['~~gone~~', '~gone~'],
    ['**_both_**', '*_both_*'],
    ['`a * b`', '`a * b`'],
    ['# A **bold** title', '*A bold title*'],
    ['```js\nconst a = 1;\n```', '```\nconst a = 1;\n```'],
    ['> one\n> two', '> one\n> two'],
    ['- one\n- two\n  - three', '- one\n- two\n  - three'],
    ['1. one\n2. two', '1. one\n2. two'],
    ['[label](https://example.org)', 'label (https://example.org)'],
    ['<https://example.org>', 'https://example.org'],
    ['![chart](https://example.org/c.png)', 'chart (https://example.org/c.png)'],
    ['| a | b |\n|---|---|\n| 1 | **2** |', '```\na | b\n--+--\n1 | 2\n```'],
    ['one\n\n---\n\ntwo', 'one\n\n———\n\ntwo'],
    ['**two\nlines**', '*two*\n*lines*'],
    ['snake_case_name * 2', 'snake_case_name * 2'],
  ])('%j', (markdown, text) => {
    expect(render(markdown)).toBe(text);
  });

  it('that would be too long or show nothing is sent as it is', () => {
    expect(renderText('| a |\n|---|\n| b |', 10)).toBeUndefined();
    expect(render('\n \n')).toBeUndefined();
    expect(render('> '.repeat(20_000))).toBeUndefined();
  });

  it('of any kind is rendered within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'*_~`>#-1. \n[](|)ab'), { maxLength: 200 }), parts => {
        expect(renderText(parts.join(''), 300)?.length ?? 0).toBeLessThanOrEqual(300);
      }),
      runs(100),
    );
  });
});

describe('buttons', () => {
  const chat = { id: '491701234567', kind: 'private' } as const;
  const some = (count: number, label = 'Choice') =>
    Array.from({ length: count }, (_, at) => ({ label: `${label} ${at}`, data: `d${at}` }));
  const types = (text: string, count: number, label?: string) =>
    contentsOf(text, some(count, label), chat).map(content => JSON.stringify(content).slice(0, 55));

  it.each([
    ['up to three are buttons', 'q', 3, 'Choice', ['button']],
    ['four are a list', 'q', 4, 'Choice', ['list']],
    ['long labels are a list', 'q', 2, 'A label that is too long', ['list']],
    ['a long text has a list', 'q'.repeat(1025), 2, 'Choice', ['list']],
    ['more than ten are several lists', 'q', 23, 'Choice', ['list', 'list', 'list']],
  ])('%s', (_, text, count, label, kinds) => {
    expect(types(text, count, label)).toEqual(
      kinds.map(kind => expect.stringContaining(`"interactive":{"type":"${kind}"`)),
    );
  });

  it('are left out in a group', () => {
    expect(contentsOf('q', some(2), { id: 'g', kind: 'group' })).toMatchObject([{ type: 'text' }]);
  });

  it('of the same name differ', () => {
    const same = [1, 2].map(data => ({ label: 'Yes', data: String(data) }));
    expect(JSON.stringify(contentsOf('q', same, chat))).toMatch(/"title":"Yes".*"title":"2 Yes"/);
  });
});

it('a template takes one line, and says whether all of it fitted', () => {
  expect(templateText('a\nb\tc        d')).toEqual({ text: 'a ⏎ b c   d', isWhole: true });
  const { text, isWhole } = templateText('x'.repeat(2000));
  expect([text.length, isWhole]).toEqual([900, false]);
});
