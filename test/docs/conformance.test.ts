import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGE } from '../../scripts/generate/conformance-page.ts';
import { PLATFORMS_PAGE } from '../../scripts/generate/platforms-page.ts';
import { columns } from '../conformance/columns.ts';
import { requirements } from '../conformance/requirements.ts';
import { columns as platforms } from '../conformance-platforms/columns.ts';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
/** The columns of each of its tables. */
const columnsOf = (page: string): string[][] =>
  [...page.matchAll(/^\| id \| it … \| promises \| (.+) \|$/gm)].map(([, names = '']) => names.split(' | '));

it('docs/backends/conformance.md has the rows of the manifest (write it with `npm run conformance -- --write`)', () => {
  const rows = [...read(PAGE).matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(
    ([, id, text]) => `${id}: ${text}`,
  );
  expect(rows).toEqual([...requirements].map(([id, { text }]) => `${id}: ${text}`));
});

it.each([
  [PAGE, columns],
  [PLATFORMS_PAGE, platforms],
])('%s has every column, in the order of the suite', (page, all) => {
  const names = all.map(({ name }) => name);
  const tables = columnsOf(read(page));
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) expect(table).toEqual(names);
});
