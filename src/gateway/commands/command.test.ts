import { expect, it } from 'vitest';
import { parseCommand } from './command.ts';

it('reads commands, with and without the name of a bot', () => {
  expect(parseCommand('/stop')).toEqual({ name: 'stop', args: '' });
  expect(parseCommand(' /Get@my_bot  a file.txt ')).toEqual({ name: 'get', args: 'a file.txt' });
  expect(parseCommand('/deny x\nbecause\nof this')).toEqual({ name: 'deny', args: 'x\nbecause\nof this' });
});

it('takes paths and plain text for what they are', () => {
  for (const text of ['/etc/passwd is what?', 'stop', '', '/', '//x', '/2x', 'say /stop'])
    expect(parseCommand(text)).toBeUndefined();
});
