// Whatever a text consists of, searching it is at most four times the work of plain text of the same length, and what
// could not be searched is not shown (P7).
import { describe, expect, it } from 'vitest';
import { byWork, expectAtMostTimes } from '../../../test/cpu.ts';
import { drawFrom } from '../../../test/fixtures/redaction/parts.ts';
import { effort } from '../../../test/property.ts';
import { randomFrom, runSeed } from '../../../test/random.ts';
import { createRedactor } from './redactor.ts';
import { allShapes } from './spans.ts';
import { WITHHELD_MARK } from './withheld.ts';

const SIZE = 262_144;
const draw = drawFrom(17);
const secrets = Array.from({ length: 20 }, () => draw('alnum', 32));
const redactor = createRedactor({ secrets, shapes: 'on' });

const anchors = [...new Set(allShapes.flatMap(shape => shape.anchors))];
const joiners = [
  ...[
    '',
    '-',
    '--',
    '_',
    ' ',
    '.',
    ':',
    '=',
    '="',
    "='",
    '\n',
    '\r\n',
    'A',
    'a',
    '0',
    '/',
    '\\',
    '\\"',
    '"',
    "'",
  ],
  ...[
    '%',
    '~',
    '+',
    '\t',
    '@',
    ',',
    ';',
    '&',
    '$',
    ' -p ',
    '= ',
    ': ',
    '<',
    '>',
    '|',
    '[',
    '{',
    '(',
    ')',
    '://',
  ],
  ...['\u001b[m', '\u200b', 'xxxxxxxx', 'aB3', '&#x', '\\x', '%20', ' '.repeat(50), '\u0000'],
];

function filled(part: string, size = SIZE): string {
  return part.repeat(Math.ceil(size / part.length)).slice(0, size);
}

/** Each part for some hundred characters. */
function mixed(parts: readonly string[]): string {
  const each = Math.ceil(SIZE / parts.length);
  return parts.map(part => filled(part, each)).join('');
}

const plain = filled('The quick brown fox jumps over the lazy dog, and nobody knows why it did so.\n');

function expectBearable(texts: readonly { readonly of: string; readonly text: string }[]): void {
  const worst = byWork(texts, ({ text }) => redactor.redact(text)).slice(0, 3);
  for (const { of, text } of worst) {
    expectAtMostTimes(
      4,
      () => redactor.redact(text),
      () => redactor.redact(plain),
      JSON.stringify(of),
    );
  }
}

/** Four of them to a text. */
function texts(parts: (anchor: string) => readonly string[]): { of: string; text: string }[] {
  return Array.from({ length: Math.ceil(anchors.length / 4) }, (_, at) => {
    const some = anchors.slice(at * 4, at * 4 + 4);
    return { of: some.join(' '), text: mixed(some.flatMap(parts)) };
  });
}

describe('searching is at most four times the work of plain text', () => {
  it('for every anchor with every joiner', () => {
    expectBearable(texts(anchor => joiners.map(joiner => anchor + joiner)));
  });

  it('for every pair of anchors', () => {
    expectBearable(texts(one => anchors.map(other => one + other)));
  });

  it('for any two or three anchors and joiners, repeated', () => {
    const next = randomFrom(runSeed());
    const one = (of: readonly string[]): string => of[Math.floor(next() * of.length)] ?? '';
    const parts = Array.from({ length: 50 * effort }, (_, turn) =>
      Array.from({ length: 2 + (turn % 2) }, () => one(anchors) + one(joiners)).join(''),
    );
    expectBearable(parts.map(part => ({ of: part, text: filled(part) })));
  });

  it('for texts that were slow once, and others of their kind', () => {
    const parts = [
      ...['eyJ--', '-----END PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----', '-', '.', ':', '\u200ba'],
      ...['\u001b7', 'otp:', 'key ', 'cookie=', 'basic%20-', '://a:', 'zip ', 'mysql -p', 'MMMMMM.', '<key>'],
      ...['12345678:', 'secret--', 'xoxb-xxxxxxxx', '@aaaa', 'a@://b:c/', '"key": "x", ', 'name: token\n'],
      ...['token: >-\n ', `${'A'.repeat(64)}\n`, 'sk_', 'pat', '$6$a$', '&#x61;', '&#9', 'a\0b\0', '6 1 '],
      ...[
        `password=${')'.repeat(1000)}x `,
        `key${' '.repeat(400)}`,
        'echo a | sudo -S ',
        'sudo -S <<<',
        '\r\n',
      ],
      ...[`${secrets[0]?.slice(0, -1)}\n`, [...(secrets[1] ?? '')].join(' ').slice(0, -2)],
    ];
    expectBearable(parts.map(part => ({ of: part, text: filled(part) })));
  });
});

it('is so too where many known values begin alike', () => {
  const alike = Array.from({ length: 40 }, () => `sk-proj-${draw('alnum', 32)}`);
  const { redact } = createRedactor({ secrets: alike, shapes: 'on' });
  const [one = ''] = alike;
  const [base64, hex] = (['base64', 'hex'] as const).map(form =>
    Buffer.from(one).toString(form).slice(0, 40),
  );
  const parts = [
    'sk-',
    'sk-proj-',
    'c2st',
    's\0k\0',
    's k ',
    '736b',
    '&#115;',
    `${base64}\n`,
    `${hex}\n`,
    one.slice(1),
  ];
  const [worst = ''] = byWork(
    parts.map(part => filled(part)),
    redact,
  );
  expectAtMostTimes(
    4,
    () => redact(worst),
    () => redact(plain),
    JSON.stringify(worst.slice(0, 50)),
  );
});

describe('what was not searched', () => {
  it('is not shown, and it is said where it was', () => {
    const token = ['ghp', draw('alnum', 36)].join('_');
    const text = `${filled('otp:')} ${token} ${filled('otp:')}`;
    const shown = redactor.redact(text);
    expect(shown).toContain(WITHHELD_MARK);
    expect(shown).not.toContain(token.slice(4, 14));
    expect(redactor.redact(shown)).toBe(shown);
  });

  it('takes nothing with it that comes after it', () => {
    const shown = redactor.redact(`${filled('otp:')}\n${'plain words\n'.repeat(2000)}`);
    expect(shown.endsWith('plain words\n'.repeat(1500))).toBe(true);
  });

  it('hides the rest of a key that begins in it', () => {
    const body = Array.from({ length: 40 }, () => draw('base64', 64)).join('\n');
    const begin = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    for (let size = 255_000; size < 263_000; size += 331) {
      const shown = redactor.redact(`${filled('otp:', size)}\n${begin}\n${body}\n\nend`);
      expect(body.split('\n').filter(line => shown.includes(line))).toEqual([]);
    }
  });

  it('is nothing of a large file of settings', () => {
    const settings = Array.from({ length: 1000 }, (_, at) => `SERVICE_${at}_TOKEN=${draw('alnum', 8)}`).join(
      '\n',
    );
    expect(redactor.redact(settings)).not.toContain(WITHHELD_MARK);
  });
});
