// Time limit and cancel of one command.
import type { Clock, Timer } from '../../base/clock.ts';
import type { Interruption } from '../result.ts';

export interface WatchOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Time limit and cancel of one command: what interrupted it first, if anything. */
export class Watch {
  interruption: Interruption | undefined;
  onInterruption: (() => void) | undefined;
  readonly interrupted: Promise<void>;
  readonly #setInterrupted: () => void;
  readonly #clock: Clock;
  readonly #options: WatchOptions;
  readonly #onAbort = (): void => this.#interrupt('canceled');
  #timer: Timer | undefined;
  #startedAt: number;

  constructor(clock: Clock, options: WatchOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#startedAt = clock.monotonic();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.interrupted = promise;
    this.#setInterrupted = resolve;
    if (options.signal?.aborted) this.interruption = 'canceled';
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The time limit counts from here: waiting for a lane or for the shell's turn is not the command's fault. */
  start(): void {
    this.#startedAt = this.#clock.monotonic();
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined && Number.isFinite(timeoutMs)) {
      this.#timer = this.#clock.after(timeoutMs, () => this.#interrupt('timed-out'), { keepAlive: true });
    }
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** The sandbox itself has ended the command, because this end has not noticed that its time was over. */
  endedElsewhere(): void {
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined && this.elapsedMs() >= timeoutMs) this.interruption ??= 'timed-out';
  }

  close(): void {
    this.#timer?.cancel();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #interrupt(interruption: Interruption): void {
    if (this.interruption) return;
    this.interruption = interruption;
    this.#setInterrupted();
    this.onInterruption?.();
  }
}
