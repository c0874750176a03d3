// The phases of a creation, each with a time limit of its own, so that nothing hangs for want of one.
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { type Circumstances, notCreated, type Phase } from './faults.ts';

export const LIMIT_MS: Readonly<Record<Phase, number>> = {
  pull: 15 * 60_000,
  create: 60_000,
  start: 60_000,
  ready: 30_000,
};

/** Runs the phases of one creation. */
export class Phases {
  readonly #clock: Clock;
  readonly #of: Omit<Circumstances, 'phase'>;
  readonly #signal: AbortSignal | undefined;

  constructor(clock: Clock, of: Omit<Circumstances, 'phase'>, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#of = of;
    this.#signal = signal;
  }

  /** Throws the caller's reason when aborted, and otherwise an error that names the phase. */
  async run<T>(phase: Phase, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#signal?.throwIfAborted();
    const late = new AbortController();
    const timer = this.#clock.after(LIMIT_MS[phase], () => late.abort(this.#tooLate(phase)));
    const signals = this.#signal ? [late.signal, this.#signal] : [late.signal];
    try {
      const done = await work(AbortSignal.any(signals));
      this.#signal?.throwIfAborted();
      return done;
    } catch (error) {
      late.signal.throwIfAborted();
      throw notCreated(error, { ...this.#of, phase });
    } finally {
      timer.cancel();
    }
  }

  #tooLate(phase: Phase): HermesError {
    const { name, image } = this.#of;
    const message = `The container ${name} from ${image} could not be made: the phase ${phase} took longer than ${LIMIT_MS[phase] / 1000} s. Check the engine’s load and its log, then try again.`;
    return new HermesError('SANDBOX_NOT_CREATED', message, { details: { phase, image } });
  }
}
