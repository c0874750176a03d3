// When a command of the persistent shell has to run beside it.
import { expect, it } from 'vitest';
import { usesSudo } from './handle.ts';

it.each([
  'sudo id',
  'cd /; sudo -u bob id',
  'true && sudo id',
  'x=`sudo id`',
  'echo "$(sudo id)"',
  'if sudo true; then :; fi'.replace('if ', 'if true; then '),
  'A=1 sudo id',
  '(sudo id)',
])('uses sudo: %s', command => {
  expect(usesSudo(command)).toBe(true);
});

it.each([
  ': "do not use sudo here"',
  "echo 'sudo id'",
  'grep sudo /etc/group',
  'echo sudo id',
  'pseudo sudoku',
  'echo \\; sudo',
])('does not: %s', command => {
  expect(usesSudo(command)).toBe(false);
});
