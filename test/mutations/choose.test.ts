import { describe, expect, it } from 'vitest';
import { chooseMutations } from '../../scripts/mutate/choose.ts';
import { readPage, renewedPage } from '../../scripts/mutate/page.ts';
import type { Mutation } from './mutation.ts';

const mutation = (name: string, promise: Mutation['promise']): Mutation => ({
  ...{ name, promise, file: 'src/a.ts', old: 'a', new: 'b' },
  ...{ testFile: 'src/a.test.ts', tests: ['refuses'] },
});
const stranger = mutation('a stranger is allowed', 'P1');
const lease = mutation('a lease | is ignored', 'P5');
const all = [lease, stranger];

describe('the words of the command line', () => {
  it.each([
    ['nothing', [], all],
    ['a whole name', ['a stranger is allowed'], [stranger]],
    ['a word of a name', ['--only', 'lease'], [lease]],
    ['a promise', ['--only', 'P1'], [stranger]],
    ['several words', ['--only', 'P1', 'lease'], all],
  ])('take those that are meant: %s', (_what, words, mutations) => {
    expect(chooseMutations(all, words)).toEqual({ kind: 'check', mutations });
  });

  it('can ask for a list', () => {
    expect(chooseMutations(all, ['--list', '--only', 'P5'])).toEqual({ kind: 'list', mutations: [lease] });
  });

  it.each([[['a stranger']], [['--only', 'nothing']], [['--only']]])('are refused: %j', words => {
    expect(() => chooseMutations(all, words)).toThrow(/No mutation fits|needs a word/);
  });
});

describe('the report', () => {
  const tried = (mutation: Mutation, seconds: number) => ({ mutation, seconds });
  const page = renewedPage(
    '',
    all,
    all.map(each => tried(each, 1.25)),
  );

  it('has every mutation that was caught, by promise', () => {
    expect([...readPage(page)]).toEqual([
      [stranger.name, 1.3],
      [lease.name, 1.3],
    ]);
    expect(page).toContain('| P1 | a stranger is allowed | refuses (`src/a.test.ts`) | 1.3 |');
  });

  it('keeps what was not tried again, and forgets what is not listed any more', () => {
    const other = mutation('a secret is logged', 'P7');
    const next = renewedPage(page, [stranger, other], [tried(other, 2)]);
    expect([...readPage(next)]).toEqual([
      [stranger.name, 1.3],
      [other.name, 2],
    ]);
  });
});
