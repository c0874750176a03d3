import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGE } from '../../scripts/generate/conformance-page.ts';
import { requirements } from '../conformance/requirements.ts';

it('docs/backends/conformance.md has the rows of the manifest (mend with `npm run conformance -- --write`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, id, text]) => `${id}: ${text}`);
  expect(rows).toEqual([...requirements].map(([id, { text }]) => `${id}: ${text}`));
});
