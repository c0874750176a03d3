import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { MARK_START, MarkScanner } from './mark-scanner.ts';

const NONCE = `${MARK_START}0123456789abcdef`;

/** What comes out when the bytes arrive in these pieces. */
function scan(pieces: readonly Uint8Array[]): { data: Buffer; marks: string[] } {
  const data: Uint8Array[] = [];
  const marks: string[] = [];
  const scanner = new MarkScanner(NONCE, {
    data: bytes => data.push(bytes.slice()),
    mark: words => marks.push(words),
  });
  for (const piece of pieces) scanner.push(piece);
  return { data: Buffer.concat(data), marks };
}

/** Cuts the bytes at these places. */
function cut(bytes: Buffer, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...places.map(place => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
}

describe('P9: the end mark', () => {
  it('is found wherever the stream is cut, and nothing before it is lost or changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (output, places) => {
        const stream = Buffer.concat([output, Buffer.from(`${NONCE} exited 3 - - 0\n`)]);
        const { data, marks } = scan(cut(stream, places));
        expect(marks).toEqual(['exited 3 - - 0']);
        expect(data.equals(Buffer.from(output))).toBe(true);
      }),
    );
  });

  it('is found when it is cut at any byte', () => {
    const stream = Buffer.from(`output${NONCE} exited 3 - - 0\n`);
    for (let at = 0; at <= stream.length; at++) {
      const { data, marks } = scan([stream.subarray(0, at), stream.subarray(at)]);
      expect([data.toString(), marks], `cut at ${at}`).toEqual(['output', ['exited 3 - - 0']]);
    }
  });

  it('is not imitated by anything that lacks the nonce, however near it comes', () => {
    const near = fc.constantFrom(
      MARK_START,
      NONCE.slice(0, 5),
      NONCE.slice(0, -1),
      `${NONCE.slice(0, -1)}g`,
      '\n',
      'x',
    );
    fc.assert(
      fc.property(fc.array(near), fc.array(fc.nat()), (parts, places) => {
        const output = Buffer.from(parts.join(''), 'latin1');
        fc.pre(!output.includes(Buffer.from(NONCE, 'latin1')));
        const stream = Buffer.concat([output, Buffer.from(`${NONCE} ready\n`)]);
        // A prefix of the nonce right before it may be part of the mark only as plain data.
        const { data, marks } = scan(cut(stream, places));
        expect(marks).toEqual(['ready']);
        expect(data.equals(output)).toBe(true);
      }),
    );
  });

  it('holds nothing back that cannot be the beginning of a mark', () => {
    const seen: string[] = [];
    const scanner = new MarkScanner(NONCE, {
      data: bytes => seen.push(Buffer.from(bytes).toString()),
      mark: () => {},
    });
    scanner.push(Buffer.from('partial line'));
    expect(seen).toEqual(['partial line']);
  });

  it('may come twice, with output between', () => {
    const { data, marks } = scan([Buffer.from(`a${NONCE} exited 0 - - 0\nb${NONCE} ready\nc`)]);
    expect(marks).toEqual(['exited 0 - - 0', 'ready']);
    expect(data.toString()).toBe('abc');
  });

  it('without an end is an error, not a growing buffer', () => {
    const scanner = new MarkScanner(NONCE, { data: () => {}, mark: () => {} });
    scanner.push(Buffer.from(NONCE));
    expect(scanner.push(Buffer.alloc(70_000, 0x78))).toBe('bad');
  });
});
