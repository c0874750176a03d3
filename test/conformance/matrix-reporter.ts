// Collects what the tests of the suite came to, and prints the matrix after a run that had any.
import type { Reporter, TestCase } from 'vitest/node';
import { buildMatrix, type Cell, type CellResult, formatMatrix, type Matrix } from './matrix.ts';
import type {} from './suite-mark.ts';

export interface MatrixReporter extends Reporter {
  /** Of the tests that have ended so far. */
  matrix(): Matrix;
}

export function matrixReporter(print: (text: string) => void): MatrixReporter {
  const results: CellResult[] = [];
  const matrix = (): Matrix => buildMatrix(results);
  return {
    matrix,
    onTestCaseResult(test) {
      const mark = test.meta().conformance;
      if (mark) results.push({ column: mark.column, id: mark.id, cell: cellOf(test) });
    },
    onTestRunEnd() {
      if (results.length > 0) print(`\n${formatMatrix(matrix())}\n`);
    },
  };
}

function cellOf(test: TestCase): Cell {
  const { state } = test.result();
  if (state === 'passed') return 'ok';
  if (state === 'failed') return 'FAIL';
  return test.meta().conformance?.notApplicable ? 'n/a' : 'not run';
}
