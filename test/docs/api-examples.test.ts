// The programs of docs/api.md are the files that are compiled with the project and run by test/integration/api-examples.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiExamples, apiPage, exampleFolder } from './api-examples.ts';

it.each(apiExamples)('$file stands on the page as it is run', ({ file, code }) => {
  const run = readFileSync(join(exampleFolder, file), 'utf8');
  expect(code).toBe(run.replace("'../../../src/index.ts'", "'hermes-gateway'"));
});

it('the page lists everything that the package exports (in docs/api.md)', () => {
  const source = readFileSync(join(exampleFolder, '../../../src/index.ts'), 'utf8');
  const inBraces = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map(name => name.replace('type ', '').trim()),
  );
  const functions = [...source.matchAll(/^export async function (\w+)/gm)].map(([, name = '']) => name);
  const exported = [...inBraces, ...functions].filter(name => name !== '');
  const table = /### Everything that is exported\n\n([\s\S]*?)\n\n/.exec(apiPage)?.[1] ?? '';
  expect([...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).toSorted()).toEqual(
    exported.toSorted(),
  );
});

it('every program of the page is one of them, and the other way round', () => {
  expect(apiExamples.map(({ file }) => file).toSorted()).toEqual(readdirSync(exampleFolder).toSorted());
  expect(apiPage.match(/^```ts$/gm)).toHaveLength(apiExamples.length);
});
