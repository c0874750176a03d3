import { describe, expect, it } from 'vitest';
import { pastTime } from './audit/past-time.ts';
import { plainLine, shortened, spanText } from './wording.ts';

describe('spans', () => {
  it.each([
    [0, '0 s'],
    [60, '1 min'],
    [90, '90 s'],
    [180, '3 min'],
    [3600, '1 h'],
    [5400, '90 min'],
    [604_800, '7 d'],
  ])('%d s = %s', (seconds, text) => expect(spanText(seconds)).toBe(text));
});

describe('foreign text', () => {
  it('cannot control the terminal', () => {
    expect(plainLine('a\u001b[31mb\u001b]0;title\u0007\r\nc')).toBe('ab c');
  });

  it('is cut where a table would burst', () => {
    expect(shortened('abcdef', 4)).toBe('abc…');
  });
});

describe('a time in the past', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  it.each([
    ['2h', '2026-01-31T10:00:00.000Z'],
    ['1.5d', '2026-01-30T00:00:00.000Z'],
    ['2026-01-30T08:00:00Z', '2026-01-30T08:00:00.000Z'],
    ['2026-01-30', '2026-01-30T00:00:00.000Z'],
  ])('%s', (text, time) => expect(new Date(pastTime(text, now)).toISOString()).toBe(time));

  it.each(['', '2', 'yesterday', '2h30', '-2h', '2026-99-99'])(
    '%j is refused with what is accepted',
    text => {
      expect(() => pastTime(text, now)).toThrow('Accepted: a span such as 30m');
    },
  );
});
