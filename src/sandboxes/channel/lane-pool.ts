// The lanes of a sandbox: as many as commands run at once, kept for the next ones, and one that only ever kills.
import type { Sandbox } from '../../backends/backend.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { Lane } from './lane.ts';
import type { ShellScripts } from './shell-scripts.ts';

/** More commands than this at once wait for their turn. */
const MOST_LANES = 64;
/** Idle lanes beyond this are closed after a while. */
const IDLE_LANES = 2;
const IDLE_MS = 15_000;

export interface LanePoolOptions {
  readonly sandbox: Sandbox;
  readonly scripts: ShellScripts;
  readonly clock: Clock;
}

export class LanePool {
  readonly #sandbox: Sandbox;
  readonly #scripts: ShellScripts;
  readonly #clock: Clock;
  readonly #lanes = new Set<Lane>();
  readonly #idle: Lane[] = [];
  readonly #waiting: ((lane: Lane) => void)[] = [];
  #opening = 0;
  #count = 0;
  #trim: Timer | undefined;
  #warden: Promise<Lane> | undefined;

  constructor({ sandbox, scripts, clock }: LanePoolOptions) {
    this.#sandbox = sandbox;
    this.#scripts = scripts;
    this.#clock = clock;
  }

  /** A lane for one command; give it back with `release` once it can take another. */
  async acquire(): Promise<Lane> {
    for (let lane = this.#idle.pop(); lane; lane = this.#idle.pop()) {
      if (lane.state === 'idle') return lane;
    }
    if (this.#lanes.size + this.#opening >= MOST_LANES)
      return new Promise(resolve => this.#waiting.push(resolve));
    return this.#open();
  }

  async #open(): Promise<Lane> {
    this.#opening++;
    try {
      const name = this.#nameOf('lane');
      const lane = await Lane.open({ sandbox: this.#sandbox, scripts: this.#scripts, name });
      this.#lanes.add(lane);
      void lane.closed.then(() => this.#lanes.delete(lane));
      this.#warden ??= this.#openWarden();
      return lane;
    } finally {
      this.#opening--;
    }
  }

  release(lane: Lane): void {
    if (lane.state !== 'idle') return;
    const next = this.#waiting.shift();
    if (next) next(lane);
    else this.#idle.push(lane);
    if (this.#idle.length > IDLE_LANES) this.#trim ??= this.#clock.after(IDLE_MS, () => this.#closeIdle());
  }

  #closeIdle(): void {
    this.#trim = undefined;
    for (const lane of this.#idle.splice(IDLE_LANES)) lane.close();
  }

  /**
   * The lane that kills. It is there before it is needed, because a sandbox whose process limit is used up cannot
   * start another; one that has died is replaced.
   */
  async warden(): Promise<Lane> {
    const warden = await this.#warden;
    if (warden && warden.state !== 'closed') return warden;
    this.#warden = this.#openWarden();
    return this.#warden;
  }

  async close(): Promise<void> {
    this.#trim?.cancel();
    const [warden] = await Promise.allSettled([this.#warden]);
    const lanes = [...this.#lanes];
    if (warden.status === 'fulfilled' && warden.value) lanes.push(warden.value);
    for (const lane of lanes) lane.close();
    await Promise.all(lanes.map(lane => lane.closed));
  }

  /** Unique also among lanes of an earlier gateway whose folders may still be there. */
  #nameOf(role: string): string {
    return `${role}-${++this.#count}-${newId()}`;
  }

  #openWarden(): Promise<Lane> {
    const opened = Lane.open({
      sandbox: this.#sandbox,
      scripts: this.#scripts,
      name: `warden-${++this.#count}`,
    });
    // Whoever needs it hears of the failure; until then it is nobody's.
    opened.catch(() => {});
    return opened;
  }
}
