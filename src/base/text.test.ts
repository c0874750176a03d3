// Quoting, truncation and stripping, each against a reference that is not ours.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../test/cpu.ts';
import { fc, runs } from '../../test/property.ts';
import { ID_ALPHABET, newId, randomCode } from './ids.ts';
import { shellJoin, shellQuote } from './shell-quote.ts';
import { stripAnsi } from './strip-ansi.ts';
import { characterStart, nextCharacterStart, truncateMiddle } from './truncate.ts';

describe('shellQuote', () => {
  it.each([
    ['plain', 'plain'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", `'it'\\''s'`],
    ['$HOME', "'$HOME'"],
    ['~', "'~'"],
    ['=cmd', "'=cmd'"],
    ['line\nbreak', "'line\nbreak'"],
  ])('%j becomes %s', (word, quoted) => {
    expect(shellQuote(word)).toBe(quoted);
  });

  it('is read back unchanged by a real shell, whatever the words', () => {
    const word = fc.string({ unit: 'binary' }).filter(text => !text.includes('\0') && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), words => {
        const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${shellJoin(words)}`]).toString();
        expect(printed.split('\0').slice(0, -1)).toEqual(words);
      }),
      runs(30),
    );
  });
});

describe('truncateMiddle', () => {
  it('leaves alone what fits', () => {
    expect(truncateMiddle('12345', 5)).toEqual({ text: '12345', omittedBytes: 0 });
  });

  it('keeps 40 % of the beginning and 60 % of the end, and counts what it left out', () => {
    const { text, omittedBytes } = truncateMiddle('a'.repeat(100) + 'z'.repeat(100), 10);
    expect(omittedBytes).toBe(190);
    expect(text).toBe('aaaa\n… 190 bytes left out …\nzzzzzz');
  });

  it('never splits a character and never exceeds the limit, for any text and limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(120), (raw, limit) => {
        const text = raw.toWellFormed();
        const cut = truncateMiddle(text, limit);
        if (cut.omittedBytes === 0) {
          expect(cut.text).toBe(text);
          return;
        }
        const note = `\n… ${cut.omittedBytes} bytes left out …\n`;
        const at = cut.text.indexOf(note);
        const [head, tail] = [cut.text.slice(0, at), cut.text.slice(at + note.length)];
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
        expect(kept).toBeLessThanOrEqual(limit);
        expect(kept + cut.omittedBytes).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it('finds the borders of characters, and gives up on bytes that are none', () => {
    const bytes = Buffer.from('aé€😀');
    expect([0, 1, 2, 3, 5, 6, 9, 10].map(at => characterStart(bytes, at))).toEqual([0, 1, 1, 3, 3, 6, 6, 10]);
    expect([0, 2, 4, 7].map(at => nextCharacterStart(bytes, at))).toEqual([0, 3, 6, 10]);
    expect(characterStart(Buffer.alloc(9, 0x80), 5)).toBe(5);
    expect(nextCharacterStart(Buffer.alloc(9, 0x80), 5)).toBe(5);
  });
});

describe('stripAnsi', () => {
  it.each([
    ['colour', '\x1b[1;31mred\x1b[0m', 'red'],
    ['256 and true colour with colons', '\x1b[38:2::1:2:3mx\x1b[48;5;7my', 'xy'],
    ['private modes', '\x1b[?25l\x1b[?1049hx\x1b[>4;2m', 'x'],
    ['intermediates', '\x1b[2 q\x1b[!px', 'x'],
    ['title by BEL', '\x1b]0;evil title\x07x', 'x'],
    ['title by ST', '\x1b]2;evil\x1b\\x', 'x'],
    ['hyperlink', '\x1b]8;;http://e.vil\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['DCS, SOS, PM, APC', '\x1bPq#0\x1b\\\x1bXsos\x1b\\\x1b^pm\x1b\\\x1b_apc\x1b\\x', 'x'],
    ['8-bit CSI', '\x9b31mred', 'red'],
    ['8-bit OSC, DCS with 8-bit ST', '\x9d0;t\x9cx\x90q\x9cy', 'xy'],
    ['lone C1', 'a\x85b\x8dc', 'abc'],
    ['charset selection', '\x1b(B\x1b)0x', 'x'],
    ['reset, keypad, save', '\x1bc\x1b=\x1b>\x1b7\x1b8x', 'x'],
    ['cut short at the end', 'x\x1b[', 'x'],
    ['escape at the very end', 'x\x1b', 'x'],
    ['a string that never ends hides its line only', '\x1b]0;open\nnext', '\nnext'],
    ['aborted by CAN', '\x1b]0;a\x18b', 'b'],
    ['backspace and bell', 'a\x08b\x07c', 'abc'],
    ['tab, newline and return stay', 'a\tb\r\nc', 'a\tb\r\nc'],
    ['text beyond ASCII stays', 'é€😀', 'é€😀'],
  ])('%s', (_title, raw, plain) => {
    expect(stripAnsi(raw)).toBe(plain);
  });

  it('leaves no control behind, and nothing to strip a second time', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('\x1b', '[', ']', '0', ';', 'm', '\x07', '\\', '\x9b', '\x9d', '\n', 'x', 'P'),
    });
    fc.assert(
      fc.property(nasty, raw => {
        const plain = stripAnsi(raw);
        expect(plain).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
        expect(stripAnsi(plain)).toBe(plain);
      }),
    );
  });

  it('takes no more than linear time for introducers', () => {
    expectLinear(500_000, times => stripAnsi('\x1b['.repeat(times) + '\x1b]'.repeat(times)));
  });
});

describe('ids', () => {
  it('have 32 symbols, none like another', () => {
    expect(new Set(ID_ALPHABET).size).toBe(32);
    expect(ID_ALPHABET).not.toMatch(/[01io]/);
  });

  it('do not repeat and fit a container name', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => newId()));
    expect(ids.size).toBe(10_000);
    for (const id of ids) expect(id).toMatch(/^[a-z2-9]{16}$/);
    expect(randomCode(8)).toHaveLength(8);
  });
});
