// Whoever meets an error code finds out what to do: each is on the page once, with what is seen, why, and what mends it.
import { expect, it } from 'vitest';
import { errorHelp } from '../../scripts/generate/error-help.ts';
import { errorCodes } from '../../src/base/error-codes.ts';

const helped = errorHelp.flatMap(({ codes }) => Object.keys(codes));

it('every error code has its help, once (scripts/generate/error-help.ts, then `npm run generate`)', () => {
  expect(helped.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});

it('nothing of it is empty', () => {
  for (const { codes } of errorHelp)
    for (const { seen, because, fixes } of Object.values(codes))
      for (const sentence of [seen, because, ...fixes]) expect(sentence).toMatch(/^.{3,}[.:!?]$/s);
});
