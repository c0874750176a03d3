// The list of mutations cannot rot: each still fits the code, names a test that exists, and is in the report.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGE, readPage } from '../../scripts/mutate/page.ts';
import { mutations } from '../mutations/all-mutations.ts';
import { mutated } from '../mutations/mutation.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

describe('the mutation', () => {
  it.each(mutations.map(mutation => [mutation.name, mutation] as const))('"%s" fits', (_name, mutation) => {
    mutated(read(mutation.file), mutation);
    // Source quotes titles in several ways; none of them is escaped but its own quotes.
    const source = read(mutation.testFile).replaceAll("\\'", "'").replaceAll('\\`', '`');
    for (const title of mutation.tests) expect(source).toContain(title);
  });
});

it('mutations have different names', () => {
  expect(sorted(mutations.map(({ name }) => name))).toEqual(
    sorted(new Set(mutations.map(({ name }) => name))),
  );
});

it('docs/mutations.md lists exactly these (run `npm run mutate`)', () => {
  expect(sorted(readPage(read(PAGE)).keys())).toEqual(sorted(mutations.map(({ name }) => name)));
});
