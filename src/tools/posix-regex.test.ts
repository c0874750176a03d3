import { describe, expect, it } from 'vitest';
import { posixRegex } from './posix-regex.ts';

describe('posixRegex', () => {
  it.each([
    ['port', 'port'],
    [String.raw`\d+\.\d*`, String.raw`[0-9]+\.[0-9]*`],
    [String.raw`^\s*\w+\W\S\D$`, '^[[:space:]]*[[:alnum:]_]+[^[:alnum:]_][^[:space:]][^0-9]$'],
    ['(?:a|b)+?c*?', '(a|b)+c*'],
    [String.raw`[\w.-]+@[\d\s]`, '[[:alnum:]_.-]+@[0-9[:space:]]'],
    [String.raw`[^\]\-a]`, '[^]a-]'],
    [String.raw`[\^]x[\^\-]`, String.raw`\^x[-^]`],
    ['[]a]', '[]a]'],
    ['[[:alpha:]]', '[[:alpha:]]'],
    [String.raw`\bword\b\t`, '\\bword\\b\t'],
    [String.raw`\(x\)\[y\]`, String.raw`\(x\)\[y\]`],
  ])('says %s as %s', (pattern, text) => {
    expect(posixRegex(pattern)).toEqual({ kind: 'regex', text });
  });

  it.each([['(?=x)'], ['(?<name>x)'], ['(?i)x'], ['[a'], [String.raw`a\nb`]])(
    'explains why %s cannot be said',
    pattern => {
      expect(posixRegex(pattern)).toMatchObject({ kind: 'unsupported' });
    },
  );
});
