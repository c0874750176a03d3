// What is sent to the machine arrives there unchanged, read by real shells.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../../test/property.ts';
import { quoteForLogin, remoteCommand } from './remote-command.ts';

const ODD = [
  '',
  ' ',
  "'",
  "\\'",
  '\\\\',
  'a\nb',
  '$HOME',
  '`id`',
  '*',
  '~',
  '!x',
  '"',
  '-n',
  "it's \\ $(id) `x`",
  'é→😀',
];

function readBack(shell: string, words: readonly string[]): string[] {
  const line = `printf '%s\\0' ${words.map(quoteForLogin).join(' ')}`;
  return execFileSync(shell, ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe.each(['sh', 'bash'])('%s', shell => {
  it.each(ODD)('reads %j back as it was', word => {
    expect(readBack(shell, [word, 'x'])).toEqual([word, 'x']);
  });
});

it('reads any words back', () => {
  const word = fc.string({ unit: 'binary' }).filter(text => !text.includes('\0') && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), words => {
      expect(readBack('sh', words)).toEqual(words);
    }),
    runs(50),
  );
});

it('keeps backslashes and quotes outside of quotes, where fish gives them a meaning', () => {
  expect(quoteForLogin("a\\'b")).toBe("'a'\\\\''\\''b'");
});

it('runs a script under the tag of its sandbox, with the nonce before its answer', () => {
  const line = remoteCommand({ script: 'list', args: [], sandbox: 'x1' }, 'NONCE');
  expect(line).toMatch(/^exec env 'HERMES_SANDBOX=x1' sh -c /);
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8', env })).toBe('\nNONCE labels\n');
});
