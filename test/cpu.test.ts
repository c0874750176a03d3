import { expect, it } from 'vitest';
import { expectLinear, expectWork } from './cpu.ts';

/** Adds up so many numbers. */
function count(times: number): number {
  let sum = 0;
  for (let at = 0; at < times; at++) sum = (sum + at * 31) % 65_521;
  return sum;
}

it('knows linear work from work that grows with the square', () => {
  expectLinear(20_000_000, count);
  expect(() => expectLinear(16_000, size => count(size ** 2 / 4))).toThrow('the whole, beside');
});

it('knows much work from little', () => {
  expectWork(() => count(1000), 1);
  expect(() => expectWork(() => count(60_000_000), 1)).toThrow('2 MB of JSON');
});
