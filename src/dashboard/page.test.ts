// The pure parts of the page itself: marks in commands, tables for other programs, words for times and sizes.
import { expect, it } from 'vitest';

interface PageParts {
  marksIn(command: string, findings: readonly { part: string; severity: string }[]): unknown;
  csvOf(entries: readonly Record<string, unknown>[]): string;
  span(ms: number): string;
  size(bytes: number): string;
}

/** Plain JavaScript, which the types of the program do not reach. */
const load = async (name: string): Promise<PageParts> =>
  import(new URL(`page/${name}`, import.meta.url).href);

it('marks every place of what was found, the worst severity first', async () => {
  const { marksIn } = await load('marks.js');
  const findings = [
    { part: 'rm x', severity: 'low' },
    { part: 'x', severity: 'high' },
    { part: 'not there', severity: 'high' },
  ];
  expect(marksIn('rm x; rm x', findings)).toEqual([
    { text: 'rm ', severity: 'low' },
    { text: 'x', severity: 'high' },
    { text: '; ' },
    { text: 'rm ', severity: 'low' },
    { text: 'x', severity: 'high' },
  ]);
});

it('writes no formula into a table', async () => {
  const { csvOf } = await load('csv.js');
  const text = csvOf([{ seq: 1, at: 0, actor: '=cmd()', subject: 'say "hi"', action: 'a', outcome: '-1' }]);
  expect(text).toContain(`"'=cmd()"`);
  expect(text).toContain('"say ""hi"""');
  expect(text).toContain(`"'-1"`);
});

it('says times and sizes as people do', async () => {
  const { span, size } = await load('words.js');
  expect([span(90_000), span(7_200_000), span(0)]).toEqual(['90 s', '2 h', '0 s']);
  expect([size(512), size(1536), size(200 * 1024 * 1024)]).toEqual(['512 B', '1.5 KiB', '200 MiB']);
});
