import { expect, it } from 'vitest';
import { AnswerFinder } from './answer.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

it('finds the answer behind noise, and keeps what follows', () => {
  const answer = new AnswerFinder('NONCE').push(bytes('Welcome!\nno newline\nNONCE ready 12\nrest'));
  expect(answer?.words).toBe('ready 12');
  expect(Buffer.from(answer?.rest ?? []).toString()).toBe('rest');
});

it('finds an answer that arrives byte by byte', () => {
  const finder = new AnswerFinder('NONCE');
  const answers = [...'noise NON\nNONCE made\n'].map(letter => finder.push(bytes(letter)));
  expect(answers.at(-1)?.words).toBe('made');
  expect(answers.filter(answer => answer !== undefined)).toHaveLength(1);
});
