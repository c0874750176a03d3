// What a test of the suite carries, so that the matrix can be made from it.
import type { Suite } from '../conformance/matrix-reporter.ts';
import type { CellMark } from '../conformance/suite-mark.ts';
import { requirements } from './requirements.ts';

declare module 'vitest' {
  interface TaskMeta {
    platformConformance?: CellMark;
  }
}

export const platformMatrix: Suite = {
  markOf: test => test.meta().platformConformance,
  ids: [...requirements.keys()],
};
