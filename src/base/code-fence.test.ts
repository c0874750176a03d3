import { expect, it } from 'vitest';
import { closesFence, fenced, openingMark } from './code-fence.ts';

it('knows the lines that begin code, indented or not, and those that only have marks in them', () => {
  expect(openingMark('```ts\n')).toBe('```');
  expect(openingMark('  ~~~~')).toBe('~~~~');
  expect(openingMark('```ts```')).toBeUndefined();
  expect(openingMark('a ```')).toBeUndefined();
});

it('ends code with the same mark, longer if need be, and nothing after it', () => {
  expect(closesFence('````', '```')).toBe(true);
  expect(closesFence('```ts', '```')).toBe(false);
  expect(closesFence('~~~', '```')).toBe(false);
  expect(closesFence('```', '````')).toBe(false);
});

it('puts a fence around text that nothing in it can end', () => {
  expect(fenced('ls')).toBe('```\nls\n```');
  expect(fenced('````\nx')).toBe('`````\n````\nx\n`````');
});
