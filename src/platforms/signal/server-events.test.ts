import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { ServerEventReader } from './server-events.ts';

const read = (...pieces: string[]) => {
  const reader = new ServerEventReader();
  return pieces.flatMap(piece => reader.read(piece));
};

describe('ServerEventReader', () => {
  it('reads events with their ids, and no comments', () => {
    expect(read(':\n:\nid:r-1\nevent:receive\ndata:{"a":1}\n\n:\ndata: x\r\ndata: y\r\n\r\n')).toEqual([
      { id: 'r-1', data: '{"a":1}' },
      { id: undefined, data: 'x\ny' },
    ]);
  });

  it('takes no id that could not stand in a header, and no event without data', () => {
    expect(read('id:a b\ndata:1\n\nid:3\n\ndata:2\n\n')).toEqual([
      { id: undefined, data: '1' },
      { id: undefined, data: '2' },
    ]);
  });

  it('skips the data of what is too large, and knows its id', () => {
    const large = 'x'.repeat(3 * 1024 * 1024);
    const events = read(
      `id:1\ndata:${large}${large}\n\nid:2\ndata:${large}\ndata:${large}\n\nid:3\ndata:ok\n\n`,
    );
    expect(events).toEqual([
      { id: '1', data: undefined },
      { id: '2', data: undefined },
      { id: '3', data: 'ok' },
    ]);
  });

  it('reads the same in whatever pieces it comes', () => {
    const whole = 'id:1\ndata:one\ndata:two\n\n:\nid:2\nevent:receive\ndata:ünï 😀\n\n';
    fc.assert(
      fc.property(fc.array(fc.nat({ max: whole.length })), cuts => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        expect(read(...pieces)).toEqual(read(whole));
      }),
    );
  });
});
