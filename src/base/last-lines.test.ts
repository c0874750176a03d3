import { expect, it } from 'vitest';
import { lastLines, plainOutput } from './last-lines.ts';

it('leaves what a terminal would show', () => {
  expect(plainOutput('\u001b[31mred\u001b[0m\r\n 10 %\r 90 %\r\nnul\0 bell\u0007 a\tb\n')).toBe(
    'red\n 90 %\nnul bell a\tb\n',
  );
});

it('keeps the last lines, and marks a cut', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(lastLines('one\ntwo\n\n')).toBe('one\ntwo');
  expect(lastLines(lines.join('\n'))).toBe(`…\n${lines.slice(5).join('\n')}`);
  expect(lastLines('x'.repeat(2000))).toBe(`…\n${'x'.repeat(1500)}`);
  expect(lastLines('')).toBe('');
});
