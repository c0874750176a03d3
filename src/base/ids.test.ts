import { describe, expect, it } from 'vitest';
import { ID_ALPHABET, newId, randomCode } from './ids.ts';

describe('ids', () => {
  it('use all of 32 symbols that do not look alike', () => {
    expect(new Set(ID_ALPHABET).size).toBe(32);
    expect(ID_ALPHABET).not.toMatch(/[01io]/);
    // The chance that one of them stays away is below 1 in 10^130.
    expect(new Set(randomCode(10_000))).toEqual(new Set(ID_ALPHABET));
  });

  it('are 16 symbols long and do not meet', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toHaveLength(16);
  });
});
