// Ctrl-C in a chat: the first one interrupts the run, the second one leaves.
import type { Lines } from '../lines.ts';

export class Interrupts {
  readonly #write: (text: string) => void;
  readonly #left = Promise.withResolvers<void>();
  #run: AbortController | undefined;
  #isLeaving = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Resolves when the person wants to leave in the middle of a run. Rejects with what nobody can go on from. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  begin(): AbortSignal {
    this.#run = new AbortController();
    if (this.#isLeaving) this.#run.abort(new Error('the person has left'));
    return this.#run.signal;
  }

  end(): void {
    this.#run = undefined;
  }

  /** Ctrl-C where no line is waited for, so that nobody else shows it. */
  hit(): void {
    if (this.#run && !this.#run.signal.aborted) this.#write('^C\n');
    this.interrupt();
  }

  interrupt(): void {
    if (this.#run?.signal.aborted) this.#leave();
    else this.#run?.abort(new Error('the person has interrupted the run'));
  }

  /** A signal to the process: Ctrl-C is one where no terminal is read; any other ends the chat. */
  signalled(reason: unknown, lines: Lines): void {
    if (reason === 'SIGINT' && this.#run) {
      this.hit();
      return;
    }
    this.#run?.abort(new Error('the chat was asked to end'));
    this.#leave();
    lines.close();
  }

  fail(error: unknown): void {
    this.#left.reject(error);
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#left.resolve();
  }
}
