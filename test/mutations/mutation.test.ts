import { describe, expect, it } from 'vitest';
import { type Mutation, mutated, namePattern, projectOf, titlePattern } from './mutation.ts';

const mutation: Mutation = {
  name: 'a stranger is allowed',
  promise: 'P1',
  file: 'src/a.ts',
  old: 'return false;',
  new: 'return $& true;',
  testFile: 'src/a.test.ts',
  tests: ['refuses'],
};

describe('a mutation', () => {
  it('replaces the one occurrence, literally', () => {
    expect(mutated('a();\nreturn false;\n', mutation)).toBe('a();\nreturn $& true;\n');
  });

  it.each([
    ['does not occur', 'return true;', 'occurs 0 times in src/a.ts'],
    ['occurs twice', 'return false; return false;', 'occurs 2 times in src/a.ts'],
  ])('is refused by name when its text %s', (_how, text, complaint) => {
    expect(() => mutated(text, mutation)).toThrow(`"a stranger is allowed": its old text ${complaint}`);
  });

  it('is refused when it changes nothing', () => {
    expect(() => mutated('return false;', { ...mutation, new: mutation.old })).toThrow('the new text');
  });
});

describe('a title', () => {
  const matches = (title: string, text: string): boolean => new RegExp(`^${titlePattern(title)}$`).test(text);

  it('matches itself, whatever signs it has', () => {
    const title = 'P8: (is) a+b? [no] $5 or 100%.';
    expect(matches(title, title)).toBe(true);
    expect(matches(title, title.replace('.', '!'))).toBe(false);
  });

  it.each([
    ['does not take %j for 12345', 'does not take "x" for 12345'],
    ['on %s: refuses $name', 'on docker: refuses root'],
    ['reads `${file}` once', 'reads `a.ts` once'],
  ])('of a table, %s, matches those of its rows', (title, row) => {
    expect(matches(title, row)).toBe(true);
    expect(matches(title, `not ${row}!`)).toBe(false);
  });
});

it('names for vitest are those of the tests, in their group if they have one', () => {
  const names = ['on docker refuses', 'on docker as root refuses', 'on ssh refuses', 'on docker refuses all'];
  const fitting = (group: Partial<Pick<Mutation, 'group'>>): string[] =>
    names.filter(name => new RegExp(namePattern({ tests: ['refuses', 'hides'], ...group })).test(name));
  expect(fitting({})).toEqual(names.slice(0, 3));
  expect(fitting({ group: 'on docker' })).toEqual(names.slice(0, 2));
});

it('knows the project of a test file by its folder', () => {
  expect(['src/a.test.ts', 'test/docs/a.test.ts', 'test/mutations/a.test.ts'].map(projectOf)).toEqual(
    Array(3).fill('unit'),
  );
  expect(projectOf('test/integration/a.test.ts')).toBe('real');
});
