// The contract of a column: a backend, where it stands, and how the suite looks at it from outside.
import type { Backend, Capabilities, SandboxRef, SandboxSpec } from '../../src/index.ts';

export interface Column {
  /** Heads the column of the matrix. */
  readonly name: string;
  /** What the backend must declare; requirements that need more are `n/a`. */
  readonly capabilities: Capabilities;
  /** Whether CI fails where it cannot run. */
  readonly required: boolean;
  /**
   * In a sampled run (`npm test`) only a quarter of the checks of the channel is tried here: this one of the four. Absent =
   * all of them. Between the columns that have one, every check is tried.
   */
  readonly quarter?: 0 | 1 | 2 | 3;
  /** Throws `NotAvailable` when it cannot run here; the message says why. */
  open(): Promise<Ground>;
}

/** A backend made ready for the suite. */
export interface Ground {
  /** Made with an environment of the gateway that has `plantedSecret` in it. */
  readonly backend: Backend;
  readonly plantedSecret: string;
  /** What each new sandbox needs besides id and installation. */
  spec(): Promise<Partial<SandboxSpec>>;
  /** Process ids of everything whose arguments contain the text, seen from outside. Those that have ended are none. */
  processes(text: string): Promise<readonly number[]>;
  /** Removes the sandbox behind the backend's back, as an operator or a crash would. */
  removeFromOutside(ref: SandboxRef): Promise<void>;
  /** How much output a command writes to show that memory is bounded; absent = 300 MB. */
  readonly bulkBytes?: number;
  /** The same kind of sandbox, without bash. */
  readonly withoutBash: Backend;
  /** One whose commands have to respect file permissions; a text says why there is none. */
  readonly unprivileged: Backend | string;
  /** Removes what it made. All sandboxes are destroyed before. */
  close(): Promise<void>;
}
