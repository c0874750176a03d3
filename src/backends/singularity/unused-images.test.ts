import { describe, expect, it } from 'vitest';
import { unusedImages } from './unused-images.ts';

const DAY_MS = 24 * 3_600_000;
const now = 100 * DAY_MS;
const daysAgo = (days: number): number => now - days * DAY_MS;

describe('converted images', () => {
  it('go when nobody has used them for a month', () => {
    const entries = [
      { name: 'old.sif', usedAt: daysAgo(31) },
      { name: 'new.sif', usedAt: daysAgo(29) },
    ];
    expect(unusedImages(entries, { inUse: new Set(), now })).toEqual(['old.sif']);
  });

  it('stay as long as a sandbox is made of them', () => {
    const entries = [{ name: 'old.sif', usedAt: daysAgo(90) }];
    expect(unusedImages(entries, { inUse: new Set(['old.sif']), now })).toEqual([]);
  });

  it('that a crash left half made go after a day, and those of a conversion under way stay', () => {
    const entries = [
      { name: 'a.sif.x1.part', usedAt: daysAgo(2) },
      { name: 'b.sif.x2.part', usedAt: daysAgo(0) },
    ];
    expect(unusedImages(entries, { inUse: new Set(), now })).toEqual(['a.sif.x1.part']);
  });

  it('never take with them what is not theirs', () => {
    const entries = [{ name: 'notes.txt', usedAt: daysAgo(400) }];
    expect(unusedImages(entries, { inUse: new Set(), now })).toEqual([]);
  });
});
