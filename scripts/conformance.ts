// `npm run conformance`: the conformance suites alone. `-- backends` or `-- platforms` takes one of them; BACKENDS names
// columns of the first. With `--write` the pages about them are written too, if every column ran.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startVitest } from 'vitest/node';
import { columns as backends } from '../test/conformance/columns.ts';
import { isGreen, type Matrix } from '../test/conformance/matrix.ts';
import { type MatrixReporter, matrixReporter } from '../test/conformance/matrix-reporter.ts';
import { columns as platforms } from '../test/conformance-platforms/columns.ts';
import { platformMatrix } from '../test/conformance-platforms/suite-mark.ts';
import { conformancePage, PAGE } from './generate/conformance-page.ts';
import { PLATFORMS_PAGE, platformsPage } from './generate/platforms-page.ts';

interface ConformanceSuite {
  readonly name: string;
  readonly folder: string;
  readonly columns: readonly { readonly name: string }[];
  readonly reporter: MatrixReporter;
  readonly page: string;
  readonly content: (matrix: Matrix) => string;
}

const root = join(import.meta.dirname, '..');
const print = (text: string): void => console.log(text);
const all: readonly ConformanceSuite[] = [
  {
    name: 'backends',
    folder: 'test/conformance/',
    columns: backends,
    reporter: matrixReporter(print),
    page: PAGE,
    content: conformancePage,
  },
  {
    name: 'platforms',
    folder: 'test/conformance-platforms/',
    columns: platforms,
    reporter: matrixReporter(print, platformMatrix),
    page: PLATFORMS_PAGE,
    content: matrix => platformsPage(root, platforms, matrix),
  },
];
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
    reporters: ['default', ...wanted.map(({ reporter }) => reporter)],
  },
);
await vitest.close();

for (const { reporter, columns, page, content } of wanted) {
  const matrix = reporter.matrix();
  const isWhole = columns.every(({ name }) => matrix.columns.includes(name));
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
