import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { OutputBuffer } from './output-buffer.ts';

function collect(cap: number, pieces: readonly Uint8Array[]): OutputBuffer {
  const buffer = new OutputBuffer(cap);
  for (const piece of pieces) buffer.push(piece);
  return buffer;
}

describe('P9: collected output', () => {
  it('is whole while it fits, else beginning and end with an exact count, for any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.nat(100), (pieces, cap) => {
        const all = Buffer.concat(pieces);
        const buffer = collect(cap, pieces);
        const kept = Buffer.from(buffer.bytes());
        expect(buffer.total).toBe(all.length);
        expect(kept.length + buffer.omitted).toBe(all.length);
        if (all.length <= cap) {
          expect(kept.equals(all)).toBe(true);
          return;
        }
        const head = Math.floor(cap * 0.4);
        expect(kept.subarray(0, head).equals(all.subarray(0, head))).toBe(true);
        expect(kept.subarray(head).equals(all.subarray(all.length - (cap - head)))).toBe(true);
      }),
    );
  });

  it('says in its text where something is missing', () => {
    const buffer = collect(10, [Buffer.from('0123456789'), Buffer.from('abcdefghij')]);
    expect(buffer.text()).toBe('0123\n… 10 bytes left out …\nefghij');
  });

  it('does not cut a character in two where something is left out', () => {
    const text = collect(101, [Buffer.from('é'.repeat(200))]).text();
    expect(text).not.toContain('\ufffd');
    expect(text).toMatch(/^é{20}\n… 300 bytes left out …\né{30}$/);
  });

  it('turns bytes that are no UTF-8 into U+FFFD and keeps a byte order mark', () => {
    expect(collect(10, [Buffer.from([0x61, 0xff, 0x62])]).text()).toBe('a\ufffdb');
    expect(collect(10, [Buffer.from('\ufeffx')]).text()).toBe('\ufeffx');
  });

  it('does not put characters together wrongly when they arrive in pieces', () => {
    const bytes = Buffer.from('é€😀');
    expect(
      collect(
        100,
        [...bytes].map(byte => Uint8Array.of(byte)),
      ).text(),
    ).toBe('é€😀');
  });

  it('holds no more than its cap and one piece, whatever goes through', () => {
    const buffer = new OutputBuffer(1000);
    for (let turn = 0; turn < 10_000; turn++) buffer.push(Buffer.alloc(700, turn & 255));
    expect(buffer.total).toBe(7_000_000);
    expect(buffer.bytes().length).toBe(1000);
  });
});
