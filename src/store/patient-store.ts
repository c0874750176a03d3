// A store for a process that outlives faults: what cannot be written just now, because the disk is full or another process
// has the lock, is written as soon as it can be. Nothing is given up before the store is closed or `failFast` is called.
import { type Clock, sleep } from '../base/clock.ts';
import { asHermesError, type HermesError } from '../base/errors.ts';
import { mayWorkAgain } from './sqlite-errors.ts';
import type { Repositories, Store } from './store.ts';

/** Hears of a store that fails: once when it begins, and once when it is over. */
export interface PatienceListener {
  onFailing(error: HermesError): void;
  onWorking(afterMs: number): void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** Calls again what a fault of the store has kept from being written. Such a call has written nothing. */
export class StorePatience {
  readonly #clock: Clock;
  readonly #listener: PatienceListener;
  readonly #recovered = new Set<() => void>();
  readonly #ended = new AbortController();
  /** Since when it fails, and what ends the pauses when it works again. */
  #outage: { readonly since: number; readonly over: AbortController } | undefined;

  constructor(clock: Clock, listener: PatienceListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  async do<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        const value = await work();
        // What had not failed, such as a read, says nothing about what has.
        if (failures > 0) this.#works();
        return value;
      } catch (error) {
        if (!mayWorkAgain(error) || this.#ended.signal.aborted) throw error;
        await this.#pause(this.#fails(error), failures);
      }
    }
  }

  onRecovered(listener: () => void): void {
    this.#recovered.add(listener);
  }

  /** What fails from now on is thrown at once, and what waits tries once more. */
  end(): void {
    this.#ended.abort();
  }

  #fails(error: unknown): AbortController {
    if (!this.#outage) {
      this.#outage = { since: this.#clock.monotonic(), over: new AbortController() };
      this.#listener.onFailing(asHermesError(error));
    }
    return this.#outage.over;
  }

  #works(): void {
    const outage = this.#outage;
    if (!outage) return;
    this.#outage = undefined;
    outage.over.abort();
    this.#listener.onWorking(this.#clock.monotonic() - outage.since);
    for (const listener of this.#recovered) listener();
  }

  async #pause(over: AbortController, failures: number): Promise<void> {
    const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    // Between half and all of it, so that those that failed together do not meet again and again.
    const pauseMs = full * (0.5 + Math.random() / 2);
    const signal = AbortSignal.any([over.signal, this.#ended.signal]);
    await Promise.allSettled([sleep(this.#clock, pauseMs, signal)]);
  }
}

/** Every call of a door, and every transaction, is one call of `patience`. */
export function patientStore(store: Store, patience: StorePatience): Store {
  return {
    ...patientRepositories(store, patience),
    transaction: work => patience.do(() => store.transaction(work)),
    together: work => patience.do(() => store.together(work)),
    checkFile: () => store.checkFile(),
    onRecovered: listener => patience.onRecovered(listener),
    failFast: () => patience.end(),
    async close() {
      patience.end();
      await store.close();
    },
  };
}

function patientRepositories(store: Store, patience: StorePatience): Repositories {
  const patient = <Door extends object>(door: Door): Door => {
    const calls = Object.entries(door).map(([name, call]) => [
      name,
      (...given: unknown[]) => patience.do(() => call(...given)),
    ]);
    return Object.fromEntries(calls) as Door; // the same names, parameters and results
  };
  return {
    installation: patient(store.installation),
    sessions: patient(store.sessions),
    ledger: patient(store.ledger),
    leases: patient(store.leases),
    processes: patient(store.processes),
    audit: patient(store.audit),
    people: patient(store.people),
    pairings: patient(store.pairings),
    inbox: patient(store.inbox),
    outbox: patient(store.outbox),
    approvals: patient(store.approvals),
    runs: patient(store.runs),
    turns: patient(store.turns),
    begunCalls: patient(store.begunCalls),
  };
}
