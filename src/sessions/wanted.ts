// What one hold of a sandbox is about, passed from step to step.
import type { Session } from '../store/sessions.ts';
import type { Waiter } from './capacity.ts';
import type { LeaseRequest } from './held.ts';
import type { SandboxPolicy } from './policy.ts';

export interface Wanted {
  readonly session: Session;
  readonly policy: SandboxPolicy;
  readonly request: LeaseRequest;
  /** Its place in the queue, if there is one. */
  readonly ticket: number;
  /** What its user is to be told. */
  readonly notices: string[];
}

/** Once, however often it is tried. */
export function say({ notices }: Wanted, text: string): void {
  if (!notices.includes(text)) notices.push(text);
}

export function signalOf({ request: { signal } }: Wanted): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

export function waiterOf(wanted: Wanted): Waiter {
  const { onWait } = wanted.request;
  return { ticket: wanted.ticket, ...signalOf(wanted), ...(onWait ? { onWait } : {}) };
}
