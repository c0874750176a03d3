import { describe, expect, it } from 'vitest';
import { chooseMutations } from '../../scripts/mutate/choose.ts';
import { namesOn, pageText } from '../../scripts/mutate/page.ts';
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

it('the page has every name, by promise', () => {
  const page = pageText(all.map(each => ({ mutation: each, seconds: 1.25 })));
  expect(namesOn(page)).toEqual([stranger.name, lease.name]);
  expect(page).toContain('| P1 | a stranger is allowed | refuses (`src/a.test.ts`) | 1.3 |');
});
