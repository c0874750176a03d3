// What a test of the suite carries, so that the matrix can be made from it.

export interface CellMark {
  readonly column: string;
  readonly id: string;
  /** The requirement needs what the backend does not claim to have. */
  readonly notApplicable?: boolean;
}

declare module 'vitest' {
  interface TaskMeta {
    conformance?: CellMark;
  }
}
