// Ends single processes on the machine. Those that are asked for together go in one errand.
import { sleep } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { Link } from './link.ts';

/** A connection that hangs must not keep a client here; what is left there then is found by its tag. */
const PATIENCE_MS = 3_000;

export class Ending {
  readonly #link: Link;
  readonly #wanted: number[] = [];
  #next: Promise<void> | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Resolves when it has been sent the signal, or could not be; never rejects. */
  end(pid: number): Promise<void> {
    this.#wanted.push(pid);
    this.#next ??= Promise.resolve().then(() => this.#run());
    return this.#next;
  }

  async #run(): Promise<void> {
    const pids = this.#wanted.splice(0).map(String);
    this.#next = undefined;
    const patience = new AbortController();
    const errand = this.#link.errand({ script: 'kill', args: pids });
    try {
      await Promise.race([errand, sleep(this.#link.clock, PATIENCE_MS, patience.signal)]);
    } catch (error) {
      // No connection: nothing can be ended there now, and `destroy` will say so.
      if (!(error instanceof HermesError)) throw error;
    } finally {
      patience.abort();
    }
  }
}
