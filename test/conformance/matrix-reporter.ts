// Collects what the tests of the suite came to, and prints the matrix after a run that had any.
import type { Reporter, TestCase } from 'vitest/node';
import { buildMatrix, type Cell, type CellResult, formatMatrix, type Matrix } from './matrix.ts';
import { requirements } from './requirements.ts';
import type { CellMark } from './suite-mark.ts';

export interface MatrixReporter extends Reporter {
  /** Of the tests that have ended so far. */
  matrix(): Matrix;
}

/** A suite: where its tests carry their mark, and its requirements. */
export interface Suite {
  readonly markOf: (test: TestCase) => CellMark | undefined;
  readonly ids: readonly string[];
}

const backends: Suite = { markOf: test => test.meta().conformance, ids: [...requirements.keys()] };

export function matrixReporter(print: (text: string) => void, suite: Suite = backends): MatrixReporter {
  const results: CellResult[] = [];
  const matrix = (): Matrix => buildMatrix(results, suite.ids);
  return {
    matrix,
    onTestCaseResult(test) {
      const mark = suite.markOf(test);
      if (mark) results.push({ column: mark.column, id: mark.id, cell: cellOf(test, mark) });
    },
    onTestRunEnd() {
      if (results.length > 0) print(`\n${formatMatrix(matrix())}\n`);
    },
  };
}

function cellOf(test: TestCase, { notApplicable }: CellMark): Cell {
  const { state } = test.result();
  if (state === 'passed') return 'ok';
  if (state === 'failed') return 'FAIL';
  return notApplicable ? 'n/a' : 'not run';
}
