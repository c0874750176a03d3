// When a person is asked for the password of sudo, and who hears of it.
import { expect, it } from 'vitest';
import { sudoAsker } from './sudo-password.ts';

const FIRST = { wasRefused: false };

function asker(...answers: (string | undefined)[]) {
  const asked: string[] = [];
  const learnt: string[] = [];
  const ask = async (prompt: string) => {
    asked.push(prompt);
    return answers.shift();
  };
  return { asked, learnt, source: sudoAsker(ask, secret => void learnt.push(secret)) };
}

it('is asked once, and redaction knows the answer before anything uses it', async () => {
  const { source, asked, learnt } = asker('secret');
  expect([await source('none', FIRST), await source('remote', FIRST)]).toEqual(['secret', 'secret']);
  expect(asked).toHaveLength(1);
  expect(learnt).toEqual(['secret']);
});

it('is asked again after a refusal, and not again after nothing', async () => {
  const { source, asked } = asker('wrong', undefined);
  expect(await source('none', FIRST)).toBe('wrong');
  expect(await source('none', { wasRefused: true })).toBeUndefined();
  expect(await source('none', FIRST)).toBeUndefined();
  expect(asked).toHaveLength(2);
});

it('is asked for no sandbox that contains its commands', async () => {
  const { source, asked } = asker('secret');
  expect(await source('container', FIRST)).toBeUndefined();
  expect(asked).toEqual([]);
});
