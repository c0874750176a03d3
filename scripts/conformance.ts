// `npm run conformance`: the conformance suites alone. `-- backends` or `-- platforms` takes one of them; BACKENDS names
// columns of the first. With `--write` the pages about them are written too, if every column ran.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startVitest } from 'vitest/node';
import { inOrder, isGreen } from '../test/conformance/matrix.ts';
import { seedReporter } from '../test/random.ts';
import { conformanceSuites } from './conformance-suites.ts';

const root = join(import.meta.dirname, '..');
const print = (text: string): void => console.log(text);
const all = conformanceSuites(print);
const words = process.argv.slice(2);
const named = all.filter(({ name }) => words.includes(name));
const wanted = named.length === 0 ? all : named;

const vitest = await startVitest(
  'test',
  wanted.map(({ folder }) => folder),
  {
    root,
    project: ['real', 'conformance'],
    run: true,
    reporters: ['default', seedReporter(print), ...wanted.map(({ reporter }) => reporter)],
  },
);
await vitest.close();

for (const { reporter, columns, page, content } of wanted) {
  const names = columns.map(({ name }) => name);
  const matrix = inOrder(reporter.matrix(), names);
  const isWhole = names.every(name => matrix.columns.includes(name));
  if (words.includes('--write') && isWhole) {
    mkdirSync(dirname(join(root, page)), { recursive: true });
    writeFileSync(join(root, page), content(matrix));
    console.log(`wrote ${page}`);
  } else if (words.includes('--write')) {
    console.error(`${page} was not written: only a run of all columns is.`);
    process.exitCode = 1;
  }
  if (!isGreen(matrix)) process.exitCode = 1;
}
