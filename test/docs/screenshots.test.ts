// The pictures in the documentation show the page as it is.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { digestFile, pageDigest } from '../../scripts/page-digest.ts';

it('was taken of the page as it is now', () => {
  const taken = existsSync(digestFile) ? readFileSync(digestFile, 'utf8').trim() : 'never';
  expect(taken, 'The page has changed since its pictures were taken: npm run screenshots').toBe(pageDigest());
});
