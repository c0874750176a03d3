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
  #isWanted = false;

  constructor(world: Pick<GatewayWorld, 'clock' | 'log'>, everyMs: number, work: () => Promise<void>) {
    this.#world = world;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  start(): void {
    this.#timer = this.#world.clock.after(this.#everyMs, () => this.now());
  }

  /** At once, or once more when it is just being done. */
  now(): void {
    this.#isWanted = true;
    if (this.#isStopped || this.#working) return;
    this.#timer?.cancel();
    this.#working = this.#workWhileWanted().finally(() => {
      this.#working = undefined;
      if (!this.#isStopped) this.start();
    });
  }

  async #workWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        await this.#work();
      } catch (error) {
        this.#world.log.error({ error: asHermesError(error).message }, 'a round failed');
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#working;
  }
}
