import { describe, expect, it } from 'vitest';
import { readContent } from '../../../test/doubles/slack-content.ts';
import { fc, runs } from '../../../test/property.ts';
import { type Body, bodiesOf, pagesOf } from './blocks.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const read = ({ whole, blocks }: Body) => readContent('post', { text: whole, blocks });
const shown = (bodies: readonly Body[]): string =>
  bodies
    .map(body => {
      const content = read(body);
      if ('error' in content) throw new Error(content.error);
      return content.text;
    })
    .join('\n');
const prose = (length: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at++) text += `Word${at} and more.${at % 20 === 0 ? '\n\n' : ' '}`;
  return text.slice(0, length).trim();
};
const buttons = [[{ label: 'Yes', data: 'y' }], [{ label: 'x'.repeat(100), data: 'n' }]];

describe('a text as messages', () => {
  it('is one of blocks, each within the limit', () => {
    const [body, ...more] = bodiesOf(prose(8000));
    expect(more).toEqual([]);
    expect(body?.blocks.length).toBeGreaterThan(2);
    expect(wordsOf(shown(body ? [body] : []))).toEqual(wordsOf(prose(8000)));
  });

  it('is one plain text where it is too much for blocks', () => {
    const bodies = bodiesOf(prose(39_000));
    expect(bodies).toMatchObject([{ blocks: [] }]);
    expect(wordsOf(shown(bodies))).toEqual(wordsOf(prose(39_000)));
  });

  it('needs several only where nearly every character is escaped', () => {
    const markdown = `${'<<<< <&<& '.repeat(3500)}end`;
    const bodies = bodiesOf(markdown);
    expect(bodies.length).toBeGreaterThan(1);
    for (const { whole } of bodies) expect(whole.length).toBeLessThanOrEqual(40_000);
    expect(shown(bodies).replace(/\s/g, '')).toBe(markdown.replace(/\s/g, ''));
  });

  it('has its buttons under the last', () => {
    expect(bodiesOf('May I?', buttons).map(read)).toMatchObject([
      {
        text: 'May I?',
        buttons: [
          { label: 'Yes', data: 'y' },
          { label: `${'x'.repeat(74)}…`, data: 'n' },
        ],
      },
    ]);
    const long = bodiesOf(prose(20_000), buttons);
    expect(long.length).toBeGreaterThan(1);
    expect(wordsOf(shown(long))).toEqual(wordsOf(prose(20_000)));
    expect(readContent('post', { ...long.at(-1) })).toMatchObject({
      buttons: [{ data: 'y' }, { data: 'n' }],
    });
  });

  it('keeps code that is cut as code in every block', () => {
    const code = Array.from({ length: 700 }, (_, at) => `line(${at});`).join('\n');
    const pages = pagesOf(`\`\`\`js\n${code}\n\`\`\``);
    expect(shown(pages)).toBe(code);
  });

  it('grows at its end only', () => {
    const [short, long] = [pagesOf(prose(12_000)), pagesOf(prose(20_000))];
    expect(long.length).toBeGreaterThan(short.length);
    expect(long[0]).toEqual(short[0]);
  });

  it('is never refused, whatever is in it', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '**',
        '_',
        '```\n',
        '\n\n',
        '> ',
        '- ',
        '<',
        '&',
        '| a |\n|--|\n',
        'x'.repeat(3100),
        '<'.repeat(800),
      ),
      fc.string({ maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
        const markdown = pieces.join(' ').toWellFormed();
        if (markdown.trim() === '') return;
        for (const body of [...bodiesOf(markdown), ...bodiesOf(markdown, buttons), ...pagesOf(markdown)])
          expect(read(body)).not.toHaveProperty('error');
      }),
      runs(100),
    );
  });
});
