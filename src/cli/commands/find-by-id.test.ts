import { expect, it } from 'vitest';
import { pickById } from './find-by-id.ts';

const all = ['abc2', 'abd2', 'xyz2', 'xyz2more'].map(id => ({ id }));
const pick = (typed: string): string => pickById(all, { noun: 'sandbox', typed }).id;

it.each([
  ['abc2', 'abc2'],
  ['abc', 'abc2'],
  ['xyz2', 'xyz2'],
  ['xyz2m', 'xyz2more'],
])('%s means %s', (typed, id) => expect(pick(typed)).toBe(id));

it('lists the candidates when several begin so', () => {
  expect(() => pick('ab')).toThrow(/^2 ids begin with ab: abc2, abd2\./);
});

it.each(['', 'q'])('says where to look when nothing begins with %j', typed => {
  expect(() => pick(typed)).toThrow('hermes sandbox list --all');
});

it('lists no more than ten', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: `a${at}` }));
  expect(() => pickById(many, { noun: 'session', typed: 'a' })).toThrow('and 20 more');
});
