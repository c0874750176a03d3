// The lanes of a sandbox: as many as commands run at once, kept for the next ones, and one that only ever kills.
import type { Sandbox } from '../../backends/backend.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type Ending, type Killed, Lane } from './lane.ts';
import type { LeftBehind } from './lane-end.ts';
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
  /** Whose connection it is, such as a life of the gateway; what is opened later can end what it has started. */
  readonly owner: string;
}

export class LanePool {
  readonly #sandbox: Sandbox;
  readonly #scripts: ShellScripts;
  readonly #clock: Clock;
  readonly #lanes = new Set<Lane>();
  readonly #idle: Lane[] = [];
  readonly #waiting: PromiseWithResolvers<Lane>[] = [];
  readonly #connection: string;
  #opening = 0;
  #closed = false;
  #trim: Timer | undefined;
  #killing: Promise<unknown> = Promise.resolve();
  #warden: Promise<Lane> | undefined;

  constructor({ sandbox, scripts, clock, owner }: LanePoolOptions) {
    this.#connection = `${owner}.${newId()}`;
    this.#sandbox = sandbox;
    this.#scripts = scripts;
    this.#clock = clock;
  }

  /**
   * A lane for one command; give it back with `release` once it can take another. Rejects with the signal's reason
   * while waiting, and with SANDBOX_GONE once the pool is closed.
   */
  async acquire(signal?: AbortSignal): Promise<Lane> {
    if (this.#lanes.size > 0) this.#warden ??= this.#openWarden();
    for (let lane = this.#idle.pop(); lane; lane = this.#idle.pop()) {
      if (lane.state === 'idle') return lane;
    }
    if (this.#working() < MOST_LANES) return this.#open();
    const waiting = Promise.withResolvers<Lane>();
    this.#waiting.push(waiting);
    signal?.addEventListener('abort', () => this.#leave(waiting, signal), { once: true });
    return waiting.promise;
  }

  #leave(waiting: PromiseWithResolvers<Lane>, signal: AbortSignal): void {
    const at = this.#waiting.indexOf(waiting);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    waiting.reject(signal.reason);
  }

  /** Lanes that a command waits for; one that is only held by what was left behind is none. */
  #working(): number {
    return [...this.#lanes].filter(lane => lane.state !== 'held').length + this.#opening;
  }

  async #open(): Promise<Lane> {
    this.#opening++;
    try {
      const opened = this.#openLane('lane');
      // Beside the first lane, which mostly waits, and not beside the first command.
      this.#warden ??= this.#openWarden();
      const lane = await opened;
      this.#lanes.add(lane);
      void lane.closed.then(() => {
        this.#lanes.delete(lane);
        this.serveWaiting();
      });
      return lane;
    } finally {
      this.#opening--;
    }
  }

  release(lane: Lane): void {
    if (lane.state !== 'idle') return;
    const next = this.#waiting.shift();
    if (next) next.resolve(lane);
    else this.#idle.push(lane);
    if (this.#idle.length > IDLE_LANES) this.#trim ??= this.#clock.after(IDLE_MS, () => this.#closeIdle());
  }

  /** A lane that is gone, or only held by what was left behind, makes room for another, if somebody waits for one. */
  serveWaiting(): void {
    while (this.#waiting.length > 0 && this.#working() < MOST_LANES) {
      const next = this.#waiting.shift();
      if (next) this.#open().then(next.resolve, next.reject);
    }
  }

  #closeIdle(): void {
    this.#trim = undefined;
    for (const lane of this.#idle.splice(IDLE_LANES)) lane.close();
  }

  /**
   * Ends the processes of a command. The lane that kills is there before it is needed, because a sandbox whose process
   * limit is used up cannot start another; one that has died is replaced. It kills for one command at a time.
   */
  kill(ending: Ending): Promise<Killed> {
    const killed = this.#killing.then(async () => {
      const warden = await this.#livingWarden();
      const answer = await warden.kill(ending);
      // One that was lost meanwhile has ended nothing.
      return warden.state === 'closed' ? (await this.#livingWarden()).kill(ending) : answer;
    });
    this.#killing = Promise.allSettled([killed]);
    return killed;
  }

  /** The same for processes that were left behind, which need not carry the tag. */
  killProcesses(tag: string, processes: readonly LeftBehind[]): Promise<void> {
    const killed = this.#killing.then(async () => (await this.#livingWarden()).killProcesses(tag, processes));
    this.#killing = Promise.allSettled([killed]);
    return killed;
  }

  /**
   * Resolves when the warden is there, without which nobody would end a command when the gateway is gone; or when it could not be
   * opened: then whoever needs it hears of that.
   */
  async guarded(): Promise<void> {
    await Promise.allSettled([this.#warden]);
  }

  /** Ends what connections of these owners, a pattern, and lanes that are gone have left running: how many commands that were. */
  endEarlier(owners: string): Promise<number> {
    const ended = this.#killing.then(async () => (await this.#livingWarden()).endEarlier(owners));
    this.#killing = Promise.allSettled([ended]);
    return ended;
  }

  async #livingWarden(): Promise<Lane> {
    const [warden] = await Promise.allSettled([this.#warden]);
    if (warden.status === 'fulfilled' && warden.value && warden.value.state !== 'closed') return warden.value;
    this.#warden = this.#openWarden();
    return this.#warden;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#trim?.cancel();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#gone());
    const [warden] = await Promise.allSettled([this.#warden]);
    const lanes = [...this.#lanes];
    if (warden.status === 'fulfilled' && warden.value) lanes.push(warden.value);
    for (const lane of lanes) lane.abandon();
    await Promise.all(lanes.map(lane => lane.closed));
  }

  /** Its name is unique also among lanes of an earlier gateway, whose folders may still be there. */
  async #openLane(role: string): Promise<Lane> {
    const name = `${role}-${newId()}`;
    const [sandbox, scripts, clock] = [this.#sandbox, this.#scripts, this.#clock];
    const options = { sandbox, scripts, clock, name, connection: this.#connection };
    if (this.#closed) throw this.#gone();
    try {
      const lane = await Lane.open(options);
      if (!this.#closed) return lane;
      lane.close();
    } catch (error) {
      if (!this.#closed) throw error;
    }
    throw this.#gone();
  }

  #gone(): HermesError {
    const { ref } = this.#sandbox;
    return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} was let go of.`, { details: { ref } });
  }

  #openWarden(): Promise<Lane> {
    const opened = this.#openLane('warden');
    // Whoever needs it hears of a failure; until then nobody does. One that somebody ends is replaced with the next command.
    void opened.then(
      lane => lane.closed.then(() => this.#forgetWarden(opened)),
      () => undefined,
    );
    return opened;
  }

  #forgetWarden(opened: Promise<Lane>): void {
    if (this.#warden === opened && !this.#closed) this.#warden = undefined;
  }
}
