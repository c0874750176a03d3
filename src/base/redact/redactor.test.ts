// Known values in every form, and the rules that hold for all redaction (P7).
import { describe, expect, it } from 'vitest';
import { bodyOf, drawFrom } from '../../../test/fixtures/redaction/parts.ts';
import { shellQuote } from '../shell-quote.ts';
import { truncateMiddle } from '../truncate.ts';
import { redactedStart } from './redacted-start.ts';
import { createRedactor } from './redactor.ts';

const odd = 'p@ss w0rd/"it\'s" $5 & ünïcode\\';
const redactor = createRedactor({ secrets: [odd, 'plain-old-value'], shapes: 'off' });
const MARK = '[redacted:known]';

describe('a known value (P7)', () => {
  it.each<[form: string, text: string]>([
    ['as it is', odd],
    ['in JSON', JSON.stringify({ a: odd }).slice(6, -2)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: odd })).slice(10, -4)],
    ['in base64', Buffer.from(odd).toString('base64')],
    ['in base64 for URLs', Buffer.from(odd).toString('base64url')],
    ['in hexadecimal', Buffer.from(odd).toString('hex')],
    ['in a URL', encodeURIComponent(odd)],
    ['in a query', new URLSearchParams({ a: odd }).toString().slice(2)],
    ['as a shell word', shellQuote(odd).slice(1, -1)],
    ['in HTML', odd.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ])('is gone %s', (_form, text) => {
    expect(redactor.redact(`<${text}>`)).toBe(`<${MARK}>`);
  });

  it.each([0, 1, 2, 3, 4, 5])('is gone from base64 of a longer text, behind %i other letters', before => {
    const text = Buffer.from(`${'x'.repeat(before)}plain-old-value and more`).toString('base64');
    const shown = redactor.redact(text);
    expect(shown).toContain(MARK);
    const rest = shown.replace(MARK, '');
    expect(Buffer.from(rest, 'base64').toString('latin1')).not.toMatch(/plai|ain-|old|valu/);
  });

  const bytes = [...Buffer.from('plain-old-value')].map(byte => byte.toString(16).padStart(2, '0'));
  it.each<[form: string, text: string]>([
    ['split by colours', 'plain\x1b[1;31m\x1b[K-old\x1b[m\x1b[K-value'],
    ['split by a link', 'plain-\x1b]8;;https://x.example\x07old-\x1b]8;;\x07value'],
    ['split by letters without a width', 'pl\u200bain-o\u2060ld-va\ufefflue'],
    ['with a soft hyphen after every letter', [...'plain-old-value'].join('\u00ad')],
    ['as bytes with spaces', bytes.join(' ')],
    ['as a dump has it', `${bytes.slice(0, 8).join(' ')}  ${bytes.slice(8).join(' ')}`],
    ['as bytes with colons', bytes.join(':').toUpperCase()],
    ['as bytes by twos', bytes.join('').replace(/(.{4})(?=.)/g, '$1 ')],
    ['as a list of numbers', bytes.join(', 0x')],
    ['escaped for C', bytes.join('\\x')],
    ['escaped for C in JSON', bytes.join('\\\\x').toUpperCase().replaceAll('X', 'x')],
    ['escaped for JSON, every letter', bytes.join('\\u00')],
    ['escaped for a URL, every letter', bytes.join('%')],
    ['in capitals for a URL', bytes.join('%').toUpperCase()],
  ])('is gone %s', (_form, text) => {
    expect(redactor.redact(`<${text}>`)).toBe(`<${MARK}>`);
  });

  it.each([0, 1, 2, 3, 4, 5])('is gone from base32 of a longer text, behind %i other letters', before => {
    const shown = redactor.redact(base32(`${'x'.repeat(before)}plain-old-value and more`));
    expect(shown).toContain(MARK);
    const rest = shown.replace(MARK, '');
    for (let at = 0; at + 5 < bytes.length; at++)
      expect(rest).not.toContain(base32('plain-old-value').slice(at * 2, at * 2 + 8));
  });

  it.each(['', '\n', ' and more'])('is gone from base64 of base64, before %j', after => {
    const once = Buffer.from(`plain-old-value${after}`).toString('base64');
    expect(redactor.redact(Buffer.from(`${once}\n`).toString('base64'))).toContain(MARK);
  });

  it('is gone from bytes that are split by letters without a width', () => {
    const { redact } = createRedactor({ secrets: ['plain-old-value'], shapes: 'off', input: 'bytes' });
    const text = Buffer.from('a plain-\u200bold\u2060-value b').toString('latin1');
    expect(redact(text)).toBe(`a ${MARK} b`);
  });

  describe('whose letters stand apart is gone', () => {
    const value = 'pl4in-old-v4lue-of-mine';
    const { redact } = createRedactor({ secrets: [value], shapes: 'off' });
    const base64 = Buffer.from(`user:${value}:more`).toString('base64');
    const cells = (from: number, to: number): string =>
      [...value.slice(from, to)].map(letter => letter.padStart(4)).join('');
    const wrapped = (text: string, column: number): string =>
      text.replaceAll(new RegExp(`.{${column}}(?=.)`, 'g'), '$&\n');

    it.each([
      ['by od -c', `0000000${cells(0, 16)}\n0000020${cells(16, 99)}\n0000027`],
      ['as UTF-16', Buffer.from(`a ${value}`, 'utf16le').toString('latin1')],
      ['as UTF-32', [...value].map(letter => `${letter}\0\0\0`).join('')],
      ['as decimal entities', [...value].map(letter => `&#${letter.charCodeAt(0)};`).join('')],
      [
        'as hexadecimal entities',
        [...value].map(letter => `&#x00${letter.charCodeAt(0).toString(16)};`).join(''),
      ],
      ['with some entities', value.replaceAll(/[-4]/g, letter => `&#${letter.charCodeAt(0)};`)],
      ['with entities from its first letter on', value.replace('p', '&#112;').replace('-', '&#x2D;')],
      ['letter by letter', [...value].join('\n')],
      ['as a list', [...value].join("', '")],
      ['with a soft end of a line', `${value.slice(0, 9)}=\r\n${value.slice(9)}`],
      ['in a quotation', `> ${value.slice(0, 9)}\n> ${value.slice(9)}`],
    ])('%s', (_how, text) => {
      const shown = redact(text);
      expect(shown).toContain(MARK);
      expect(shown).not.toMatch(/m.{0,8}i.{0,8}n.{0,8}e/s);
    });

    it('by line breaks at any column, also in base64 and hexadecimal', () => {
      const hex = Buffer.from(value).toString('hex');
      for (const whole of [`x=${value} and`, `${hex}0a`, base64])
        for (let column = 1; column < whole.length; column++)
          expect(redact(wrapped(whole, column)), `${whole} at ${column}`).toContain(MARK);
    });

    it('by the rows of a dump, with what stands beside them', () => {
      for (let before = 0; before < 16; before++) {
        const bytes = Buffer.from(`${'.'.repeat(before)}${value}${'.'.repeat(20)}`);
        const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) =>
          bytes.subarray(at * 16, at * 16 + 16),
        );
        const offset = (at: number, digits: number): string => (at * 16).toString(16).padStart(digits, '0');
        const pairs = (row: Buffer, size: number): string =>
          (row.toString('hex').match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(' ');
        const hexdump = rows.map((row, at) => `${offset(at, 8)}  ${pairs(row, 2)}  |${row.toString()}|`);
        const xxd = rows.map((row, at) => `${offset(at, 8)}: ${pairs(row, 4)}  ${row.toString()}`);
        const od = rows.map((row, at) => `${offset(at, 7)} ${pairs(row, 2)}`);
        for (const dump of [hexdump, xxd, od]) {
          const shown = redact(dump.join('\n'));
          expect(shown).toContain(MARK);
          expect(shown).not.toMatch(/old|v4lue|mine|6f ?6c ?64|6d ?69 ?6e ?65/);
        }
      }
    });

    it('when the line breaks come in pieces', () => {
      const { stream } = createRedactor({ secrets: [value], shapes: 'off' });
      for (let column = 1; column < value.length; column++) {
        const one = stream();
        const pieces = wrapped(`see ${value} there`, column).split(/(?<=\n)/);
        const shown = pieces.map(piece => one.push(piece)).join('') + one.flush();
        expect(shown.replaceAll('\n', ''), `at ${column}`).not.toMatch(/d-v4|lue-of|mine/);
      }
    });

    it('and what is only like it stays', () => {
      for (const text of [
        'pl4in-old\nv4lue-of-mine',
        'pl4in-\nold words',
        'p l 4 i n',
        'p\0l\x004',
        '&#112;lain',
      ])
        expect(redact(text)).toBe(text);
    });
  });

  it('leaves colours, emoji and other numbers as they are', () => {
    for (const text of [
      '\x1b[32mgreen\x1b[0m',
      '👩\u200d💻 ok\ufe0f',
      '70 6c 61 69 6e 20',
      '\ufeffplain',
      '%70%6c%61',
    ])
      expect(redactor.redact(text)).toBe(text);
  });

  it('is gone line by line when it has several lines', () => {
    const draw = drawFrom(7);
    const lines = [draw('base64', 40), draw('base64', 40)];
    const { redact } = createRedactor({ secrets: [lines.join('\n')], shapes: 'off' });
    expect(redact(lines.join('\n'))).toBe(MARK);
    expect(redact(`1: ${lines[0]}\n2: ${lines[1]}`)).toBe(`1: ${MARK}\n2: ${MARK}`);
  });

  it('that begins like another is gone as a whole', () => {
    const { redact } = createRedactor({ secrets: ['abcdef', 'abcdefghij'], shapes: 'off' });
    expect(redact('abcdefghij abcdef')).toBe(`${MARK} ${MARK}`);
  });

  it('that overlaps another leaves nothing of either', () => {
    const { redact } = createRedactor({ secrets: ['abcdefgh', 'efghijkl'], shapes: 'off' });
    expect(redact('-abcdefghijkl-')).toBe(`-${MARK}-`);
  });

  it.each(['true', '1234', '12345', 'false', 'localhost', 'production', '', '      ', 'aaaaaaaa', '123456'])(
    'as common as %j is no secret by itself',
    value => {
      const text = `a ${value} b`;
      expect(createRedactor({ secrets: [value], shapes: 'off' }).redact(text)).toBe(text);
    },
  );

  it('is hidden with shapes off, and shapes are not', () => {
    const token = ['ghp', drawFrom(3)('alnum', 36)].join('_');
    expect(redactor.redact(`${token} plain-old-value`)).toBe(`${token} ${MARK}`);
  });

  it('names the kind before a shape does', () => {
    const { redact } = createRedactor({ secrets: ['plain-old-value'], shapes: 'on' });
    expect(redact('password=plain-old-value')).toBe(`password=${MARK}`);
  });

  it('may be half a pair of characters', () => {
    const { redact } = createRedactor({ secrets: ['\ud800abcdefg'], shapes: 'on' });
    expect(redact('x\ud800abcdefgx')).toBe(`x${MARK}x`);
  });
});

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters
    .map(five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

describe('bytes', () => {
  it('that are no text come out as they went in', () => {
    const { redact } = createRedactor({ secrets: ['geheimnis-ü'], shapes: 'on', input: 'bytes' });
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1');
    expect(redact(all)).toBe(all);
    const secret = Buffer.from('geheimnis-ü', 'utf8').toString('latin1');
    expect(redact(`\xff${secret}\xfe`)).toBe(`\xff${MARK}\xfe`);
  });
});

describe('truncation', () => {
  it('to the beginning leaves no half of a secret', () => {
    const token = ['ghp', drawFrom(8)('alnum', 36)].join('_');
    const { redact } = createRedactor({ secrets: [], shapes: 'on' });
    for (let before = 65_480; before < 65_540; before++) {
      const shown = redactedStart(`${'a '.repeat(before / 2)}${token} ${'b '.repeat(500_000)}`, redact);
      expect(shown).not.toContain('ghp_');
      expect(shown.length).toBeLessThan(65_536);
    }
    expect(redactedStart(`a ${token}`, redact)).toBe('a [redacted:github-token]');
  });

  it('after redaction leaves no half of a secret', () => {
    const token = ['ghp', drawFrom(5)('alnum', 36)].join('_');
    const { redact } = createRedactor({ secrets: [], shapes: 'on' });
    for (let limit = 20; limit < 200; limit += 3) {
      const { text } = truncateMiddle(redact(`${'a '.repeat(50)}${token}${' b'.repeat(50)}`), limit);
      expect(text).not.toContain(token.slice(0, 8));
      expect(text).not.toContain(token.slice(-8));
    }
  });
});

describe('shapes', () => {
  const { redact } = createRedactor({ secrets: [], shapes: 'on' });

  it('keep JSON readable', () => {
    const line = JSON.stringify({ token: 'abc123def456', msg: 'password=hunter22\nnext', n: 1 });
    const shown: unknown = JSON.parse(redact(line));
    expect(shown).toEqual({ token: '[redacted:token]', msg: 'password=[redacted:password]\nnext', n: 1 });
  });

  it('hide a token however long it is', () => {
    const token = ['xoxb', drawFrom(9)('alnum', 50_000)].join('-');
    expect(redact(`a ${token} b`)).toBe('a [redacted:slack-token] b');
  });

  it('look at every line that a return alone ends', () => {
    const session = drawFrom(13)('alnum', 30);
    expect(redact(`cookie: none\rset-cookie: sid=${session}`)).toBe(
      'cookie: none\rset-cookie: sid=[redacted:cookie]',
    );
  });

  it('hide a key that follows one without an end', () => {
    const body = bodyOf(drawFrom(14), 2).join('\n');
    const begin = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    expect(redact(`${begin}\n${body}\n\nPrivate-Lines: 3\n${body}\nx`)).not.toContain(body.slice(0, 8));
  });

  it('leave made-up ones of documentation', () => {
    const text = `export GITHUB_TOKEN=${['ghp', 'x'.repeat(36)].join('_')}`;
    expect(redact(text)).toContain('xxxx');
  });
});
