import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLATFORMS_PAGE } from '../../scripts/generate/platforms-page.ts';
import { requirements } from '../conformance-platforms/requirements.ts';

it('docs/platforms/README.md has the rows of the manifest (mend with `npm run conformance -- platforms --write`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../..', PLATFORMS_PAGE), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, id, text]) => `${id}: ${text}`);
  expect(rows).toEqual([...requirements].map(([id, { text }]) => `${id}: ${text}`));
});
