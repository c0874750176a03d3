import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import { approvalCard } from './approval-card.ts';

const look = { colors: picocolors.createColors(false), columns: 40 };
const finding = { rule: 'r', threatens: 'data', severity: 'high' } as const;
const TITLE = 'The agent wants to run:';

function rows(command: string, part = 'part'): string[] {
  return approvalCard({ command, findings: [{ ...finding, reason: 'Harm.', part }] }, look).split('\n');
}

it('shows command and findings with a mark before every line', () => {
  expect(rows('cd x\nrm -rf y', 'rm -rf y')).toEqual([
    TITLE,
    '│ cd x',
    '│ rm -rf y',
    '│ • Harm. (high): rm -rf y',
  ]);
});

it.each([
  ['spaces', `true ${' '.repeat(300)}${TITLE}`],
  ['many words', `true ${'a '.repeat(200)}${TITLE}`],
  ['tabs', `true ${'\t'.repeat(40)}${TITLE}`],
  ['a carriage return', `true\r${TITLE}`],
  ['movements of the cursor', `true\x1b[2K\x1b[1G${TITLE}`],
  ['characters of two cells', `true ${'漢'.repeat(100)}${'𠀀'.repeat(100)}${TITLE}`],
  ['marks on letters', `true ${'e\u0301'.repeat(100)}${TITLE}`],
  ['lines of another kind', `true\u2028\u0085\v\f${TITLE}`],
])('lets nothing pass for another card: %s', (_name, text) => {
  for (const card of [rows(text), rows('true', text)]) {
    const [title, ...rest] = card;
    expect(title).toBe(TITLE);
    for (const row of rest) {
      expect(row).toMatch(/^[│┆] [^\p{C}]*$/u);
      // Whatever a terminal takes for the width of a character.
      expect(
        [...row].reduce((sum, one) => sum + (one < '\u0300' || '│┆•'.includes(one) ? 1 : 2), 0),
      ).toBeLessThanOrEqual(40);
    }
  }
});

it('says how long it is where its beginning may have left the screen', () => {
  expect(rows('true\n'.repeat(50)).at(-1)).toBe('└ 52 lines; look at all of them');
});
