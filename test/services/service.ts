// The contract of a real component that tests run against: how it is started, what a test gets, how it ends.

/** One kind of component. Stateless: all that belongs to a run comes in through the context. */
export interface Service<Address> {
  /** Name under which tests ask for it, and of its folder in a run. */
  readonly name: string;
  /** Resolves when it can be used. Throws `NotAvailable` when this machine cannot run it; then nothing is left running. */
  start(context: ServiceContext): Promise<Running<Address>>;
}

export interface Running<Address> {
  /** Plain JSON: it crosses to the test's process. */
  readonly address: Address;
  /** Removes what tests left inside it and says what that was. Absent: tests cannot leave anything inside. */
  sweep?(): Promise<readonly string[]>;
  /** Resolves when none of its processes and mounts are left. */
  stop(): Promise<void>;
}

export interface ServiceContext {
  /** Is in the environment of every process of the run, as HERMES_TEST_RUN. */
  readonly runId: string;
  /** Everything of this run is below it. Short, so that sockets in it fit into 108 bytes. */
  readonly runDir: string;
  /** The service's own folder, fresh. */
  readonly dir: string;
  /** Kept between runs and shared with other runs at the same time: write there under a lock only. */
  readonly cacheDir: string;
  /** Aborted when the run is being torn down. */
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  say(text: string): void;
  /** The address of another service, which is started if it was not and stopped after this one. */
  need<Address>(service: Service<Address>): Promise<Address>;
}

/** This machine cannot run the component; the message says why and what would help. Never a failure of the component. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}
