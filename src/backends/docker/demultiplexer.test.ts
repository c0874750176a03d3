import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { Demultiplexer } from './demultiplexer.ts';

type Frame = readonly ['stdout' | 'stderr', Uint8Array];

function encode(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(([stream, data]) => {
      const header = Buffer.alloc(8);
      header[0] = stream === 'stdout' ? 1 : 2;
      header.writeUInt32BE(data.length, 4);
      return [header, data];
    }),
  );
}

/** Pushes the bytes in pieces that end at these places. */
function decode(bytes: Buffer, cuts: readonly number[]): Record<'stdout' | 'stderr', string> {
  const got = { stdout: '', stderr: '' };
  const demultiplexer = new Demultiplexer((stream, data) => {
    got[stream] += Buffer.from(data).toString('hex');
  });
  const ends = [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let at = 0;
  for (const end of ends) {
    demultiplexer.push(bytes.subarray(at, end));
    at = end;
  }
  return got;
}

function expected(frames: readonly Frame[], wanted: 'stdout' | 'stderr'): string {
  return frames
    .map(([stream, data]) => (stream === wanted ? Buffer.from(data).toString('hex') : ''))
    .join('');
}

const frames = fc.array(
  fc.tuple(fc.constantFrom('stdout' as const, 'stderr' as const), fc.uint8Array({ maxLength: 40 })),
  { maxLength: 12 },
);

describe('Demultiplexer', () => {
  it('tells the streams apart wherever the pieces are cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(1000)), (sent, cuts) => {
        const got = decode(encode(sent), cuts);
        expect(got.stdout).toBe(expected(sent, 'stdout'));
        expect(got.stderr).toBe(expected(sent, 'stderr'));
      }),
    );
  });

  it('takes one byte at a time', () => {
    const sent: Frame[] = [
      ['stdout', Buffer.from('ab')],
      ['stderr', Buffer.from('c')],
    ];
    const bytes = encode(sent);
    expect(decode(bytes, Array.from(bytes.keys()))).toEqual({ stdout: '6162', stderr: '63' });
  });

  it('hands on what has come of a frame before its end', () => {
    const heard: string[] = [];
    const demultiplexer = new Demultiplexer((_, data) => heard.push(Buffer.from(data).toString()));
    demultiplexer.push(encode([['stdout', Buffer.from('abcdef')]]).subarray(0, 11));
    expect(heard).toEqual(['abc']);
  });
});
