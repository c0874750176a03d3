// The last lines of a run, and whether it was good.
import { expect, it } from 'vitest';
import { endingReport } from './report.ts';

const met = {
  bench: 'exec',
  name: 'one-shot',
  measured: '1.00 ×',
  limit: '≤ 2 ×',
  isMissed: false,
  isClose: false,
};
const missed = {
  ...met,
  bench: 'modal',
  name: 'persistent',
  measured: '8.20 ×',
  isMissed: true,
  isClose: true,
};

it('ends with the misses', () => {
  const { text, isGood } = endingReport({
    limits: [missed, met],
    failed: [],
    notRun: [{ text: 'docker: no engine', isFailure: false }],
  });
  expect(isGood).toBe(false);
  expect(text.split('\n')).toEqual([
    '1 of 2 limits met',
    'not run: docker: no engine',
    'MISSED: modal: persistent: 8.20 ×, limit ≤ 2 ×',
  ]);
});

it.each([
  ['all limits met', { limits: [met], failed: [], notRun: [] }, true],
  [
    'something not run that need not',
    { limits: [met], failed: [], notRun: [{ text: 'x', isFailure: false }] },
    true,
  ],
  [
    'something not run that must',
    { limits: [met], failed: [], notRun: [{ text: 'x', isFailure: true }] },
    false,
  ],
  ['a benchmark without a result', { limits: [met], failed: ['x'], notRun: [] }, false],
])('knows a good run from a bad one: %s', (_, ending, isGood) => {
  expect(endingReport(ending).isGood).toBe(isGood);
});
