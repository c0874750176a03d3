// What a check works with: a platform with somebody on the other side, connections that are closed after it, events and
// states as they come, and a clock on which waiting costs less.
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type {
  Connection,
  ConnectOptions,
  Platform,
  PlatformEvent,
  PlatformState,
} from '../../src/platforms/platform.ts';
import { hastyClock } from '../fixtures/hasty-clock.ts';
import type { Ground, Peer } from './column.ts';

export type MessageEvent = Extract<PlatformEvent, { kind: 'message' }>;

export interface TrialOptions {
  readonly ground: Ground;
  /** Changes the platform before it is used; absent = as it is. */
  readonly spoil?: ((platform: Platform) => Platform) | undefined;
  /** How long anything may take that should happen at once. */
  readonly patienceMs: number;
}

/** A connection and what came over it. */
export interface Line {
  readonly connection: Connection;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** The first message with this text, now or later. */
  message(text: string): Promise<MessageEvent>;
  event(holds: (event: PlatformEvent) => boolean, what: string): Promise<PlatformEvent>;
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
  close(): Promise<void>;
}

export class Trial {
  readonly ground: Ground;
  readonly peer: Peer;
  readonly #options: TrialOptions;
  readonly #lines: Line[] = [];
  readonly #logged: string[] = [];
  #isClosed = false;

  constructor(options: TrialOptions) {
    this.#options = options;
    this.ground = options.ground;
    this.peer = options.ground.peer;
  }

  /** Everything that was logged so far. */
  get log(): string {
    return this.#logged.join('');
  }

  platform(clock: Clock = hastyClock): Platform {
    const destination = { write: (line: string) => void this.#logged.push(line) };
    const log = createLog({
      level: 'trace',
      destination,
      redact: line => line,
      now: () => systemClock.now(),
    });
    const platform = this.ground.create({ clock, log });
    return this.#options.spoil?.(platform) ?? platform;
  }

  /** `receive` runs before the event counts as received here. */
  async connect(options: { receive?: ConnectOptions['receive']; clock?: Clock } = {}): Promise<Line> {
    const events: PlatformEvent[] = [];
    const states: PlatformState[] = [];
    const watchers = new Set<() => void>();
    const changed = (): void => {
      for (const watcher of watchers) watcher();
    };
    const connection = await this.platform(options.clock).connect({
      async receive(event) {
        await options.receive?.(event);
        events.push(event);
        changed();
      },
      onState(state) {
        states.push(state);
        changed();
      },
    });
    const when = <T>(look: () => T | undefined, what: string): Promise<T> =>
      this.within(
        new Promise<T>(resolve => {
          const check = (): void => {
            const found = look();
            if (found === undefined) return;
            watchers.delete(check);
            resolve(found);
          };
          watchers.add(check);
          check();
        }),
        what,
      );
    const isMessage = (event: PlatformEvent): event is MessageEvent => event.kind === 'message';
    const line: Line = {
      connection,
      events,
      states,
      message: text =>
        when(() => events.filter(isMessage).find(event => event.text === text), `a message "${text}"`),
      event: (holds, what) => when(() => events.find(holds), what),
      state: (kind, after = 0) =>
        when(() => states.slice(after).find(state => state.kind === kind), `to be ${kind}`),
      close: once(() => connection.close()),
    };
    this.#lines.push(line);
    return line;
  }

  /** Somebody says a word, and it arrives. */
  async greet(line: Line, words: Partial<Parameters<Peer['say']>[0]> = {}): Promise<MessageEvent> {
    const text = words.text ?? 'hello';
    await this.peer.say({ ...words, text });
    return line.message(text);
  }

  async within<T>(work: Promise<T>, what: string): Promise<T> {
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => deadline.reject(new Error(`waited ${this.#options.patienceMs} ms for ${what}`)),
      this.#options.patienceMs,
    );
    try {
      return await Promise.race([work, deadline.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const poll = async (): Promise<void> => {
      while (!holds() && !this.#isClosed) await new Promise(setImmediate);
    };
    await this.within(poll(), what);
  }

  /** What it throws; fails when it does not. */
  async failure(
    work: Promise<unknown>,
  ): Promise<Error & { code?: string; details?: Record<string, unknown> }> {
    const outcome = await work.then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('error' in outcome && outcome.error instanceof Error) return outcome.error;
    throw new Error(`should have thrown, and gave ${JSON.stringify(outcome)}`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#lines.map(line => this.within(line.close(), 'it to close')));
    await this.ground.close();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
