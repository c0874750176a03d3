// Text that people watch being written: words go out early, and nothing of a secret does (P7).

import { describe, expect, it } from 'vitest';
import { lookAlikes } from '../../../test/fixtures/redaction/look-alikes.ts';
import { secretSamples } from '../../../test/fixtures/redaction/secrets.ts';
import { fc, runs } from '../../../test/property.ts';
import { createRedactor } from './redactor.ts';

const multiLine = ['first line of the secret', 'second line of it', 'end'].join('\n');
const secrets = ['plain-old-value', 'correct horse battery', 'Geheimwort', '秘密の言葉です', multiLine];
const redactor = createRedactor({ secrets, shapes: 'on' });

function inPieces(pieces: readonly string[]): string {
  const prose = redactor.prose();
  return pieces.map(piece => prose.push(piece)).join('') + prose.flush();
}

/** A known value byte by byte. */
function hex(between: string): string {
  return [...Buffer.from('plain-old-value')].map(byte => byte.toString(16)).join(between);
}

const pieces = [
  ...secrets,
  ...secretSamples(11).map(({ text }) => text),
  ...lookAlikes(11),
  'Sure, here is what I found: the',
  'correct horse',
  'You can (if you like) do it.',
  '今日は天気がいい',
  '- **Bold** and `code_here`: see src/agent/loop.ts (line 12),',
  '1. First, 20 files of 3.5 MB at 12:30;',
  '## Heading | _two_ | 50%',
  '```python',
  hex(' '),
  hex(', 0x'),
  hex(':'),
  Buffer.from('plain-old-value').toString('hex').replace(/.{4}/g, '$& '),
  `70 6c 61 `,
  'db_pw hunter',
  'psk: geheimwort',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('\n', ' ', '\n\n', '\r\n', '')), {
    maxLength: 10,
  })
  .map(parts => parts.flat().join(''));

describe('prose', () => {
  it('comes to what the whole text comes to, letter by letter and in any pieces', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, size) => {
        const cut = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(inPieces(cut)).toBe(redactor.redact(whole));
        expect(inPieces(whole.split(''))).toBe(redactor.redact(whole));
      }),
      runs(60),
    );
  });

  it('passes plain words on before their line is whole', () => {
    const prose = redactor.prose();
    expect(prose.push('Hel')).toBe('');
    expect(prose.push('lo, I will ')).toBe('Hello, I will ');
    expect(prose.push('look. Wait')).toBe('look. ');
    expect(prose.push('今日')).toBe('');
    expect(prose.flush()).toBe('Wait今日');
    expect(prose.push('今日は')).toBe('今日は');
  });

  it('passes marks, numbers, names and paths on too', () => {
    const prose = redactor.prose();
    const early = (text: string): string => {
      const shown = prose.push(text);
      prose.flush();
      return shown;
    };
    expect(early('**Done:** I ')).toBe('**Done:** I ');
    expect(early('1. Open the ')).toBe('1. Open the ');
    expect(early('- `read_file` of ')).toBe('- `read_file` of ');
    expect(early('## What it ')).toBe('## What it ');
    expect(early('| a | b_c |\n')).toBe('| a | b_c |\n');
    expect(early('See (src/agent/loop.ts), it has 151 lines ')).toBe(
      'See (src/agent/loop.ts), it has 151 lines ',
    );
    expect(early('At 12:30 some 50% of v1.2 was ')).toBe('At 12:30 some 50% of v1.2 was ');
  });

  it('holds flags, assignments, addresses, bytes and lines of keys', () => {
    const prose = redactor.prose();
    const early = (text: string): string => {
      const shown = prose.push(text);
      prose.flush();
      return shown;
    };
    expect(early('run zip -P hunter ')).toBe('run zip ');
    expect(early('set API=abc here ')).toBe('set ');
    expect(early('at https://me:pw@x.example now ')).toBe('at ');
    expect(early('bytes 70 6c 61 69 ')).toBe('bytes ');
    expect(early('b3BlbnNzaC1rZXktdjEAAAAA and ')).toBe('');
    expect(early('abcdefghi/klmnopqrs/uvw/yz and ')).toBe('');
  });

  it('holds what may become a secret', () => {
    const prose = redactor.prose();
    expect(prose.push('It is correct horse ')).toBe('It is ');
    expect(prose.push('riding ')).toBe('correct horse riding ');
    expect(prose.push('and correct horse battery ')).toBe('and ');
    expect(prose.push('now\n')).toBe('[redacted:known] now\n');
    expect(prose.push('The password is hunter ')).toBe('The ');
    expect(prose.push('you know\nmore ')).toBe('password is hunter you know\nmore ');
    expect(prose.push('first line of it ')).toBe('first line of it ');
    expect(prose.push('first line of the secret\nsecond ')).toBe('');
    expect(prose.push('thoughts ')).toBe('[redacted:known]\nsecond thoughts ');
  });
});
