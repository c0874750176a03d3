// Redaction of pieces: a border between two of them changes nothing (P7).

import { describe, expect, it } from 'vitest';
import { lookAlikes } from '../../../test/fixtures/redaction/look-alikes.ts';
import { drawFrom, pem } from '../../../test/fixtures/redaction/parts.ts';
import { secretSamples } from '../../../test/fixtures/redaction/secrets.ts';
import { fc, runs } from '../../../test/property.ts';
import { createRedactor, type Redactor } from './redactor.ts';

const multiLine = ['first line of the secret', 'second line of it', 'end'].join('\n');
const secrets = ['plain-old-value', 'a value, with words', multiLine];
const redactor = createRedactor({ secrets, shapes: 'on' });
/** Nothing known has several lines: each line can go out at once. */
const plain = createRedactor({ secrets: ['plain-old-value'], shapes: 'on' });

function inPieces({ stream }: Redactor, pieces: readonly string[]): string {
  const one = stream();
  return pieces.map(piece => one.push(piece)).join('') + one.flush();
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map(cut => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const pieces = [
  ...secrets,
  ...secretSamples(11).map(({ text }) => text),
  ...lookAlikes(11),
  multiLine.slice(0, 20),
  `${drawFrom(4)('base64', 64)}\n`.repeat(5),
  '\r\n',
  '\r',
  '\n\n',
  '[redacted:known]',
  'plain\x1b[1;31m-old\x1b[m-value',
  'pl\u200bain-old-\u2060value',
  'token: >-\n',
  '  a1B2c3D4e5F6g7H8i9J0k1L2\n',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('\n', ' ', '\n\n', '\r\n', '\r', '')), {
    maxLength: 12,
  })
  .map(parts => parts.flat().join(''));

describe('a stream', () => {
  it('shows no line of a value that goes on in the next piece', () => {
    const { stream } = createRedactor({ secrets: ['hunter-two\nhunter-six'], shapes: 'off' });
    const one = stream();
    expect(['hunter-two\n', 'hunter-six\n'].map(piece => one.push(piece)).join('') + one.flush()).toBe(
      '[redacted:known]\n',
    );
  });

  it('gives what the whole text gives, wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (whole, cuts) => {
        expect(inPieces(plain, cutAt(whole, cuts))).toBe(plain.redact(whole));
        expect(inPieces(redactor, cutAt(whole, cuts))).toBe(redactor.redact(whole));
      }),
      runs(100),
    );
  });

  it('gives the same letter by letter', () => {
    fc.assert(
      fc.property(text, whole => {
        expect(inPieces(redactor, whole.split(''))).toBe(redactor.redact(whole));
      }),
      runs(30),
    );
  });

  it('lets no secret out at any border', () => {
    for (const { text: sample, secret } of secretSamples(12)) {
      for (let cut = 0; cut <= sample.length; cut += 1 + Math.floor(sample.length / 40)) {
        const shown = inPieces(redactor, [sample.slice(0, cut), sample.slice(cut)]);
        expect(shown.replaceAll(/\[redacted:[\w-]+\]/g, '')).not.toContain(secret);
      }
    }
  });

  it('passes whole lines on at once', () => {
    const stream = plain.stream();
    expect(stream.push('one line\nand ha')).toBe('one line\n');
    expect(stream.push('lf\n')).toBe('and half\n');
    expect(stream.push('50 %\r60 %')).toBe('50 %\r');
    expect(stream.flush()).toBe('60 %');
  });

  it('holds a key until its end is seen, and shows one mark for it', () => {
    const stream = redactor.stream();
    const key = pem(drawFrom(2), 'RSA PRIVATE');
    const shown = [...`before\n${key}\nafter\n`.matchAll(/.*\n/g)]
      .map(([line]) => stream.push(line))
      .join('');
    expect(shown + stream.flush()).toBe('before\n[redacted:private-key]\nafter\n');
  });

  it.each(['\n', '\r\n'])('holds the rest of a key whose beginning is missing, with %j', lineBreak => {
    const rest = pem(drawFrom(6), 'RSA PRIVATE').split('\n').slice(5).join(lineBreak);
    const whole = ['before', rest, 'after', ''].join(lineBreak);
    const shown = ['before', '[redacted:private-key]', 'after', ''].join(lineBreak);
    expect(inPieces(plain, whole.split(''))).toBe(shown);
  });

  it('can be used again after its end', () => {
    const stream = redactor.stream();
    expect(stream.push('password=hun') + stream.flush()).toBe('password=hun');
    expect(stream.push('ter2 x') + stream.flush()).toBe('ter2 x');
  });
});

describe('a line without an end', () => {
  const draw = drawFrom(21);
  const token = ['ghp', draw('alnum', 36)].join('_');

  it('is held only in part', () => {
    const stream = redactor.stream();
    let [pushed, shown, most] = [0, 0, 0];
    for (let turn = 0; turn < 300; turn++) {
      pushed += 4000;
      shown += stream.push('some words '.repeat(400).slice(0, 4000)).length;
      most = Math.max(most, pushed - shown);
    }
    expect(most).toBeLessThan(200_000);
    expect(shown + stream.flush().length).toBe(pushed);
  });

  it('lets no secret out wherever the cut falls', () => {
    for (let filler = 80_000; filler < 140_000; filler += 1777) {
      const whole = `${'word '.repeat(filler / 5)}password="hunter22" ${token} plain-old-value ${'more '.repeat(30_000)}`;
      const shown = inPieces(redactor, whole.match(/.{1,4096}/gs) ?? []);
      expect(shown).toBe(redactor.redact(whole));
    }
  });

  it('keeps a name in view until its value comes', () => {
    const whole = `password="hunter22" and ${'so on '.repeat(30)}`.repeat(2_000);
    for (const size of [997, 4096, 10_007]) {
      const shown = inPieces(redactor, whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? []);
      expect(shown).toBe(redactor.redact(whole));
    }
  });

  it('hides a token that is longer than all that is held', () => {
    const long = ['xoxb', draw('alnum', 600_000)].join('-');
    const shown = inPieces(redactor, `a ${long} b`.match(/.{1,5000}/gs) ?? []);
    expect(shown).toBe('a [redacted:slack-token] b');
  });

  it.each(['', 'a'])('never cuts a character in two %j', before => {
    const stream = redactor.stream();
    const whole = before + '😀'.repeat(200_000);
    const shown = (whole.match(/[\s\S]{1,3001}/g) ?? []).map(piece => stream.push(piece));
    for (const piece of shown) expect(piece.isWellFormed()).toBe(true);
    expect(shown.join('') + stream.flush()).toBe(whole);
  });
});
