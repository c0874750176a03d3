// The connections to all platforms. Each is on its own: one that fails, at once or later, stops none of the others.
import type { Timer } from '../base/clock.ts';
import { type ErrorCode, errorCodes } from '../base/error-codes.ts';
import { asHermesError, HermesError, isHermesError } from '../base/errors.ts';
import type {
  CommandHint,
  Connection,
  Platform,
  PlatformCapabilities,
  PlatformEvent,
  PlatformState,
  Undelivered,
} from '../platforms/platform.ts';
import type { GatewayWorld } from './parts.ts';
import { redactedConnection } from './redacted-connection.ts';

export interface Link {
  readonly platform: string;
  readonly capabilities: PlatformCapabilities;
  readonly connection: Connection;
}

export interface LinkState {
  readonly platform: string;
  /** `connecting` before the account is known to work. */
  readonly state: PlatformState | { readonly kind: 'connecting' };
  readonly account?: string;
}

export interface LinksOptions {
  readonly world: Pick<GatewayWorld, 'clock' | 'log' | 'redact'>;
  readonly commands: readonly CommandHint[];
  readonly receive: (event: PlatformEvent, link: Link) => Promise<void>;
  readonly onUndelivered: (platform: string, report: Undelivered) => Promise<void>;
  /** One does not work any more; `hopeless` says whether another does. */
  readonly onFailed: () => void;
  /** Whether somebody may be there now, for platforms that keep logins. */
  readonly isWelcome: (platform: string, senderId: string) => Promise<boolean>;
  /** A connection is there, or there again. */
  readonly onConnected: (platform: string) => void;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 10_000;
const LONGEST_START_MS = 10_000;

interface Entry {
  readonly platform: Platform;
  state: LinkState['state'];
  connection?: Connection;
  retry?: Timer;
  attempts: number;
}

export class Links {
  readonly #options: LinksOptions;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #stopped = new AbortController();

  constructor(platforms: readonly Platform[], options: LinksOptions) {
    this.#options = options;
    this.#entries = new Map(
      platforms.map(platform => [
        platform.name,
        { platform, state: { kind: 'connecting' as const }, attempts: 0 },
      ]),
    );
  }

  /** Resolves when each has been tried once; those that take long go on alone, and hold up nobody. */
  async connect(): Promise<void> {
    const { clock } = this.#options.world;
    const patience = Promise.withResolvers<void>();
    const timer = clock.after(LONGEST_START_MS, () => patience.resolve());
    const tried = Promise.all([...this.#entries.values()].map(entry => this.#connect(entry)));
    await Promise.race([tried, patience.promise]);
    timer.cancel();
  }

  find(platform: string): Link | undefined {
    const entry = this.#entries.get(platform);
    if (!entry?.connection) return undefined;
    return { platform, capabilities: entry.platform.capabilities, connection: entry.connection };
  }

  capabilities(platform: string): PlatformCapabilities | undefined {
    return this.#entries.get(platform)?.platform.capabilities;
  }

  states(): readonly LinkState[] {
    return [...this.#entries].map(([platform, { state, connection }]) => ({
      platform,
      state,
      ...(connection ? { account: connection.account } : {}),
    }));
  }

  /** Why no platform will ever work as it is set up; undefined while one may. */
  hopeless(): HermesError | undefined {
    const states = [...this.#entries.values()].map(({ state }) => state);
    const failed = states.filter(state => state.kind === 'failed');
    // Such as an input that has ended: nothing is wrong with that.
    const fatal = failed.filter(({ code }) => code !== 'UNAVAILABLE_PLATFORM');
    const [first] = fatal;
    if (!first || failed.length < states.length) return undefined;
    const code = Object.hasOwn(errorCodes, first.code) ? (first.code as ErrorCode) : 'BUG_UNEXPECTED'; // it is a key
    return new HermesError(code, fatal.map(({ reason }) => reason).join(' '));
  }

  /** Takes no more events; answers still go out. */
  async pause(): Promise<void> {
    this.#stopped.abort();
    await this.#each('pause', connection => connection.pause());
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    for (const entry of this.#entries.values()) entry.retry?.cancel();
    await this.#each('close', connection => connection.close());
  }

  async #each(what: string, call: (connection: Connection) => Promise<void>): Promise<void> {
    const { log } = this.#options.world;
    const calls = [...this.#entries].map(async ([platform, { connection }]) => {
      try {
        if (connection) await call(connection);
      } catch (error) {
        log.warn({ platform, error: asHermesError(error).message }, `platform did not ${what}`);
      }
    });
    await Promise.all(calls);
  }

  async #connect(entry: Entry): Promise<void> {
    const { platform } = entry;
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    // What the adapter says of itself counts, also what it says at once.
    let said: PlatformState | undefined;
    try {
      const ready = Promise.withResolvers<Link>();
      // Nobody waits for it when the connection is not made.
      ready.promise.catch(error => this.#options.world.log.debug({ error: String(error) }, 'not connected'));
      const made = await platform
        .connect({
          signal,
          receive: async event => this.#options.receive(event, await ready.promise),
          onUndelivered: report => this.#options.onUndelivered(platform.name, report),
          isWelcome: senderId => this.#options.isWelcome(platform.name, senderId),
          onState: state => {
            said = state;
            this.#changed(entry, state);
          },
        })
        .catch(error => {
          ready.reject(error);
          throw error;
        });
      const connection = redactedConnection(made, this.#options.world.redact);
      entry.connection = connection;
      entry.attempts = 0;
      ready.resolve({ platform: platform.name, capabilities: platform.capabilities, connection });
      void this.#announce(platform.name, connection);
      this.#changed(entry, said ?? { kind: 'connected' });
    } catch (error) {
      this.#failed(entry, error);
    }
  }

  async #announce(platform: string, connection: Connection): Promise<void> {
    try {
      await connection.announce?.(this.#options.commands);
    } catch (error) {
      this.#options.world.log.warn({ platform, error: String(error) }, 'commands were not announced');
    }
  }

  #failed(entry: Entry, error: unknown): void {
    const { clock } = this.#options.world;
    if (this.#stopped.signal.aborted) return;
    const { code, message } = asHermesError(error);
    if (!isHermesError(error, 'UNAVAILABLE_PLATFORM')) {
      this.#changed(entry, { kind: 'failed', code, reason: message });
      return;
    }
    this.#changed(entry, { kind: 'offline', reason: message });
    const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** entry.attempts++);
    entry.retry = clock.after(delayMs, () => void this.#connect(entry));
  }

  #changed(entry: Entry, said: PlatformState): void {
    const { log, redact } = this.#options.world;
    const platform = entry.platform.name;
    // Status pages show it, and it may quote what a server said (P7).
    const state = 'reason' in said ? { ...said, reason: redact(said.reason) } : said;
    if (state.kind !== entry.state.kind) {
      if (state.kind === 'connected') log.info({ platform, account: entry.connection?.account }, 'connected');
      else log.warn({ platform, reason: state.reason }, `platform ${state.kind}`);
    }
    entry.state = state;
    if (state.kind === 'connected' && entry.connection) this.#options.onConnected(platform);
    if (state.kind === 'failed') this.#options.onFailed();
  }
}
