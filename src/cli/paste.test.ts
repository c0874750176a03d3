import { expect, it } from 'vitest';
import { PasteReader, withBreaks } from './paste.ts';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';

function read(...pieces: readonly (string | Uint8Array)[]): string {
  const reader = new PasteReader();
  return pieces.map(piece => reader.push(Buffer.from(piece))).join('');
}

it('leaves alone what is typed, keys that begin like a mark included', () => {
  expect(read('ls\r', '\x1b[A', '\x1b[2~', '\x1b', 'x\x03')).toBe('ls\r\x1b[A\x1b[2~\x1bx\x03');
});

it('takes several pasted lines as one, without the Enter at the end', () => {
  const line = read(`a${BEGIN}one\r\ntwo\rthree\n\n${END}\r`);
  expect(line.split('\r')).toHaveLength(2);
  expect(withBreaks(line)).toBe('aone\ntwo\nthree\r');
});

it('lets nothing that is pasted press a key', () => {
  expect(read(`${BEGIN}a\x03\x04\x1b[A\tb\x9b${END}`)).toBe('a[A\tb');
});

it('does not mind where the input is cut', () => {
  const bytes = Buffer.from(`x${BEGIN}grüß\ndich 🙂${END}y`);
  for (let at = 1; at < bytes.length; at++) {
    // Cut right behind its first byte, a mark cannot be told from the Escape key.
    if (at === 'x\x1b'.length) continue;
    expect(withBreaks(read(bytes.subarray(0, at), bytes.subarray(at)))).toBe('xgrüß\ndich 🙂y');
  }
});
