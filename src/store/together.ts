// Small pieces of work that are asked for at the same time share one commit: under load the sync of the disk is what
// costs, and it costs the same for one as for many.

import { nextTurn } from '../base/clock.ts';

interface Piece<Given> {
  readonly work: (given: Given) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What one commit has at most, so that others who use the database have their turn. */
const MOST_AT_ONCE = 64;

export class Together<Given> {
  readonly #transaction: <T>(work: (given: Given) => Promise<T>) => Promise<T>;
  #waiting: Piece<Given>[] = [];
  #isWorking = false;

  constructor(transaction: <T>(work: (given: Given) => Promise<T>) => Promise<T>) {
    this.#transaction = transaction;
  }

  /** Resolves when it is committed. It may be called twice, and has an effect once; so it must do nothing else. */
  async do<T>(work: (given: Given) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ work, resolve, reject });
    if (!this.#isWorking) void this.#drain();
    return (await promise) as T; // what this very work has given
  }

  async #drain(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      // What else has come in at this moment asks in the same turn, and shares the commit.
      await nextTurn();
      const pieces = this.#waiting.splice(0, MOST_AT_ONCE);
      if (!(await this.#commit(pieces))) for (const piece of pieces) await this.#commit([piece]);
    }
    this.#isWorking = false;
  }

  /** False when one of several has failed, and none has had an effect. */
  async #commit(pieces: readonly Piece<Given>[]): Promise<boolean> {
    try {
      const values = await this.#transaction(async given => {
        const made: unknown[] = [];
        for (const { work } of pieces) made.push(await work(given));
        return made;
      });
      for (const [at, { resolve }] of pieces.entries()) resolve(values[at]);
      return true;
    } catch (error) {
      if (pieces.length > 1) return false;
      for (const { reject } of pieces) reject(error);
      return true;
    }
  }
}
