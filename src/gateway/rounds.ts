// Something that is done again and again: never twice at the same time, and a failure does not end it.
import type { Timer } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { GatewayWorld } from './parts.ts';

export class Rounds {
  readonly #world: Pick<GatewayWorld, 'clock' | 'log'>;
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  #timer: Timer | undefined;
  #working: Promise<void> | undefined;
  #isStopped = false;

  constructor(world: Pick<GatewayWorld, 'clock' | 'log'>, everyMs: number, work: () => Promise<void>) {
    this.#world = world;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  start(): void {
    const { clock, log } = this.#world;
    this.#timer = clock.after(this.#everyMs, () => {
      this.#working = this.#work()
        .catch(error => log.error({ error: asHermesError(error).message }, 'a round failed'))
        .finally(() => {
          if (!this.#isStopped) this.start();
        });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#working;
  }
}
