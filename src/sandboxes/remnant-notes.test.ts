import { expect, it } from 'vitest';
import { parseNotes } from './remnant-notes.ts';

it('reads what was written', () => {
  expect(parseNotes('abc\x0012:34 13:35\nsleep 5 &\ntrue\0')).toEqual([
    {
      ...{ tag: 'abc', command: 'sleep 5 &\ntrue' },
      processes: [
        { pid: 12, startedAt: 34, name: '?' },
        { pid: 13, startedAt: 35, name: '?' },
      ],
    },
  ]);
});

it.each([
  '',
  'abc\0',
  'abc\0\0',
  'a b\x0012:34\nx\0',
  'abc\x001:1\nx\0',
  'abc\0$(reboot):1\nx\0',
  'abc\x0012\nx\0',
  '../x\x0012:3\nx\0',
])('takes %j for no note', text => {
  expect(parseNotes(text)).toEqual([]);
});
