// Figures over time for the charts: the last hour, sampled whether somebody looks or not. They end with the gateway.
import type { Clock, Timer } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

export interface Sample {
  readonly at: number;
  readonly sandboxes: number;
  readonly runs: number;
  readonly messages: number;
  readonly approvals: number;
  readonly memoryBytes: number;
}

const EVERY_MS = 5000;
const MOST = 720;

export class Samples {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #measure: () => Promise<Sample>;
  readonly #kept: Sample[] = [];
  #timer: Timer | undefined;
  onSample: (sample: Sample) => void = () => undefined;

  constructor(clock: Clock, log: Log, measure: () => Promise<Sample>) {
    this.#clock = clock;
    this.#log = log;
    this.#measure = measure;
    this.#later(0);
  }

  get kept(): readonly Sample[] {
    return this.#kept;
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #later(ms: number): void {
    this.#timer = this.#clock.after(ms, () => {
      this.#take()
        .catch(error => this.#log.warn({ error: String(error) }, 'figures could not be taken'))
        .finally(() => this.#timer && this.#later(EVERY_MS));
    });
  }

  async #take(): Promise<void> {
    const sample = await this.#measure();
    this.#kept.push(sample);
    if (this.#kept.length > MOST) this.#kept.shift();
    this.onSample(sample);
  }
}
