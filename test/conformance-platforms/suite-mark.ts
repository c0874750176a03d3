// What a test of the suite carries, so that the matrix can be made from it.
import type { CellMark } from '../conformance/suite-mark.ts';

export type PlatformCellMark = CellMark;

declare module 'vitest' {
  interface TaskMeta {
    platformConformance?: PlatformCellMark;
  }
}
