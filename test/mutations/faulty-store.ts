// P12: a store that fails for seconds costs time, and nothing else.
import type { Mutation } from './mutation.ts';

export const faultyStore: readonly Mutation[] = [
  {
    promise: 'P12',
    name: 'reads wait for a writer of the same process that waits for another process',
    file: 'src/store/sqlite-dialect.ts',
    old: "if (compiled.query.kind === 'SelectQueryNode') {",
    new: "if (compiled.query.kind === 'RawNode') {",
    testFile: 'src/store/sqlite-dialect.test.ts',
    tests: ['reads while a writer of this process waits for another process'],
  },
];
