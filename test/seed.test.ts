import { describe, expect, it } from 'vitest';
import { fc } from './property.ts';
import { randomFrom, runSeed } from './random.ts';
import { drawsFrom, useDraws } from './seed.ts';

const ten = (draw: () => number): number[] => Array.from({ length: 10 }, draw);

describe('what is random in tests', () => {
  it('is the same for the same seed, and spread over what was asked for', () => {
    expect(ten(randomFrom(7))).toEqual(ten(randomFrom(7)));
    expect(ten(randomFrom(7))).not.toEqual(ten(randomFrom(8)));
    const { below } = drawsFrom(runSeed());
    const drawn = Array.from({ length: 1000 }, () => below(4));
    expect([...new Set(drawn)].sort()).toEqual([0, 1, 2, 3]);
  });

  it('is the same in a test whatever other tests draw', () => {
    const first = useDraws();
    const again = useDraws();
    expect(ten(() => first.below(1000))).toEqual(ten(() => again.below(1000)));
  });

  it('reaches fast-check', () => {
    expect(fc.readConfigureGlobal().seed).toBe(runSeed());
  });

  it.each(['', '0', '1.5', 'x', '2147483648'])('refuses the seed %j', seed => {
    expect(() => runSeed(seed)).toThrow('HERMES_SEED must be a whole number');
  });
});
