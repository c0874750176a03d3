// `npm run conformance`: the conformance suite alone, for the columns that BACKENDS names, or all. With `--write` it also
// writes docs/backends/conformance.md, if every column ran.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startVitest } from 'vitest/node';
import { columns } from '../test/conformance/columns.ts';
import { isGreen } from '../test/conformance/matrix.ts';
import { matrixReporter } from '../test/conformance/matrix-reporter.ts';
import { conformancePage, PAGE } from './generate/conformance-page.ts';

const root = join(import.meta.dirname, '..');
const reporter = matrixReporter(text => console.log(text));
const vitest = await startVitest('test', ['test/conformance'], {
  root,
  project: ['real'],
  run: true,
  reporters: ['default', reporter],
});
await vitest.close();

const matrix = reporter.matrix();
if (process.argv.includes('--write')) {
  const isWhole = columns.every(({ name }) => matrix.columns.includes(name));
  if (isWhole) {
    mkdirSync(dirname(join(root, PAGE)), { recursive: true });
    writeFileSync(join(root, PAGE), conformancePage(matrix));
    console.log(`wrote ${PAGE}`);
  } else {
    console.error(`${PAGE} was not written: only a run of all columns is.`);
    process.exitCode = 1;
  }
}
if (!isGreen(matrix)) process.exitCode = 1;
