// Codes that people read to each other.
import { describe, expect, it } from 'vitest';
import { hashCode, isCodeOf, newCode, readCode } from './pairing-code.ts';

describe('codes', () => {
  it('have eight of 32 symbols, none of which looks like another', () => {
    const symbols = new Set(Array.from({ length: 500 }, newCode).join(''));
    expect(newCode()).toHaveLength(8);
    expect([...symbols].toSorted().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
  });

  it.each([' k7qm-2xwp ', 'K7QM2XWP', 'k7 qm 2x wp'])('are read as people type them: %j', typed => {
    expect(readCode(typed)).toBe('K7QM2XWP');
  });

  it.each(['', 'K7QM2XW', 'K7QM2XWPP', 'K7QM2XW0', 'K7QM2XWI', 'Ｋ7QM2XWP', '-'.repeat(1e6), 'K7QM2XWP\0'])(
    'are nothing else',
    typed => {
      expect(readCode(typed)).toBeUndefined();
    },
  );

  it('are known by their hash, which differs each time and does not hold them', async () => {
    const code = newCode();
    const [one, other] = await Promise.all([hashCode(code), hashCode(code)]);
    expect(one).not.toBe(other);
    expect(one.toUpperCase()).not.toContain(code);
    expect(await isCodeOf(one, code)).toBe(true);
    expect(await isCodeOf(one, newCode())).toBe(false);
    expect(await isCodeOf('', code)).toBe(false);
  });
});
