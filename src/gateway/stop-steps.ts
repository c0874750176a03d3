// The steps of a stop: each is waited for within bounds, whatever hangs, and the log names what was not waited for.
import type { Timer } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { GatewayWorld } from './parts.ts';

const MOMENT_MS = 2000;

export class StopSteps {
  readonly #world: Pick<GatewayWorld, 'clock' | 'log'>;
  readonly #signal: AbortSignal;

  /** The signal says that the time of the stop is over. */
  constructor(world: Pick<GatewayWorld, 'clock' | 'log'>, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
  }

  /** `moment`: two seconds. `late`: until two seconds after the signal. Never throws; leaves no timer behind. */
  async waitFor(what: string, work: Promise<unknown>, patience: 'moment' | 'late'): Promise<void> {
    const { clock, log } = this.#world;
    const over = Promise.withResolvers<'over'>();
    let timer: Timer | undefined;
    const arm = (): void => {
      timer = clock.after(MOMENT_MS, () => over.resolve('over'), { keepAlive: true });
    };
    if (patience === 'moment' || this.#signal.aborted) arm();
    else this.#signal.addEventListener('abort', arm, { once: true });
    const done = work.catch((error: unknown) => {
      log.error({ what, error: asHermesError(error).message }, 'a part of the stop failed');
    });
    try {
      if ((await Promise.race([done, over.promise])) === 'over')
        log.warn({ what }, 'the stop did not wait for a part that takes too long');
    } finally {
      this.#signal.removeEventListener('abort', arm);
      timer?.cancel();
    }
  }
}
