// What it means to hold a session's sandbox, for those who give it and those who use it.
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { Lease } from '../store/leases.ts';
import type { Session } from '../store/sessions.ts';
import type { Background } from './background.ts';

export interface LeaseRequest {
  /** What it is held for, such as the id of a run. */
  readonly purpose: string;
  /** Who caused it, for the audit: `telegram:123`. */
  readonly actor: string;
  readonly signal?: AbortSignal;
  /** Told when all places are taken: how many wait before this one. */
  readonly onWait?: (before: number) => void;
  /** Told when the settings have changed and the sandbox with them: what was kept, and what was not. */
  readonly onRemade?: (text: string) => void;
}

/** A sandbox that can be used now, and what its user should be told about it. */
export interface Held {
  readonly id: string;
  readonly handle: SandboxHandle;
  readonly lease: Lease;
  readonly notices: readonly string[];
}

/** Who gives sandboxes and takes them back. */
export interface Holder {
  /** Sees to it that the end of background processes is written down. */
  readonly background: Pick<Background, 'watch'>;
  hold(session: Pick<Session, 'id'>, request: LeaseRequest): Promise<Held>;
  release(held: Held): Promise<void>;
  /** Gives it back because it does not answer any more. */
  shake(session: Pick<Session, 'id'>, held: Held): Promise<void>;
}
