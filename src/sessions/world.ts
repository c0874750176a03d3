// What the life of session sandboxes needs of the rest: given once, passed on, never global (P3).
import type { Backend, BackendFacts, Isolation } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { PolicyConfig } from './policy-input.ts';

export interface SandboxWorld {
  readonly store: Store;
  /** The id that labels all that this installation creates. */
  readonly installation: string;
  readonly config: PolicyConfig & { variable(name: string): string | undefined };
  readonly facts: Readonly<Record<string, BackendFacts>>;
  /** The same driver for the same name, for as long as the process lives. */
  readonly backend: (name: string) => Promise<Backend>;
  readonly clock: Clock;
  readonly log: Log;
  /** This life of the process; tells its leases from those of an earlier one. */
  readonly holder: string;
  /** Asks the person at the terminal, where there is one and it would help; absent = nobody is asked. */
  readonly askSudoPassword?: (
    isolation: Isolation,
    last: { readonly wasRefused: boolean },
  ) => Promise<string | undefined>;
  /** What goes into the audit and the log has passed through it (P7). */
  readonly redact: (text: string) => string;
}
