import { expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { Sequence } from './sequence.ts';

it('acknowledges only what everything before is stored of', () => {
  const sequence = new Sequence(10);
  expect(sequence.acknowledged).toBe(10);
  for (const number of [11, 12, 13]) expect(sequence.begin(number)).toBe(true);
  sequence.end(13);
  expect(sequence.acknowledged).toBe(10);
  sequence.end(11);
  expect(sequence.acknowledged).toBe(11);
  sequence.end(12);
  expect(sequence.acknowledged).toBe(13);
});

it('takes nothing twice, whether it is stored or not', () => {
  const sequence = new Sequence(0);
  expect([sequence.begin(1), sequence.begin(1)]).toEqual([true, false]);
  sequence.end(1);
  expect(sequence.begin(1)).toBe(false);
});

it('never acknowledges what is not stored, in whatever order it comes and goes', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Array.from({ length: 20 }, (_, at) => at + 1)),
      fc.nat(),
      (order, seed) => {
        const sequence = new Sequence(0);
        const open = new Set<number>();
        for (const [at, number] of order.entries()) {
          sequence.begin(number);
          open.add(number);
          if ((seed >> at) % 2) {
            sequence.end(number);
            open.delete(number);
          }
          for (const each of open) expect(sequence.acknowledged).toBeLessThan(each);
        }
      },
    ),
  );
});
