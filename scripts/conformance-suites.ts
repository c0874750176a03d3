// The two conformance suites: their tests, their columns, and the page that shows what a run of them proved.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns as backends } from '../test/conformance/columns.ts';
import { differences, type Matrix, pageCells } from '../test/conformance/matrix.ts';
import { type MatrixReporter, matrixReporter } from '../test/conformance/matrix-reporter.ts';
import { columns as platforms } from '../test/conformance-platforms/columns.ts';
import { platformMatrix } from '../test/conformance-platforms/suite-mark.ts';
import { conformancePage, PAGE } from './generate/conformance-page.ts';
import { PLATFORMS_PAGE, platformsPage } from './generate/platforms-page.ts';

export interface ConformanceSuite {
  readonly name: string;
  readonly folder: string;
  readonly columns: readonly { readonly name: string }[];
  readonly reporter: MatrixReporter;
  /** Path of the page, from the root. */
  readonly page: string;
  readonly content: (matrix: Matrix) => string;
}

const root = join(import.meta.dirname, '..');

export function conformanceSuites(print: (text: string) => void): readonly ConformanceSuite[] {
  return [
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
}

/** What the page says otherwise than the run has shown; a sentence for each cell. */
export function staleCells({ name, page, reporter }: ConformanceSuite): readonly string[] {
  const found = differences(pageCells(readFileSync(join(root, page), 'utf8')), reporter.matrix());
  const remedy = `Write the page with: npm run conformance -- ${name} --write`;
  return found.length === 0 ? [] : [...found.map(each => `${page}: ${each}`), remedy];
}
