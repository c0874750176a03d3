// The connection to Discord's gateway: one shard of @discordjs/ws, which greets, beats, resumes and comes back by itself. What
// stands here is what it does not do: it waits longer each time, keeps a session over an outage, tells Discord only of what is
// stored (P12), and is sent nothing that it cannot bear.
import type { IContextFetchingStrategy, SessionInfo } from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { PlatformState } from '../platform.ts';
import { tellChanges } from '../tell-changes.ts';
import { COME_BACK, endsSession, fatalOf } from './close-codes.ts';
import type { Endpoint } from './faults.ts';
import { type Dispatch, dispatchShape, endsConnection, readFrame } from './frames.ts';
import { isSameGateway } from './gateway-address.ts';
import type { GatewaySession } from './kept.ts';
import type { Sdk, Shard } from './sdk.ts';
import { shardOptions } from './shard-options.ts';

const IDLE = 0;
const HEARTBEAT = 1;
const RESUME = 1;

const BACK_OFF = { firstMs: 500, longestMs: 10_000 };
/** Where Discord answers and the connection breaks all the same: it counts logins, and too many cost the bot its token. */
const ANSWERED_BACK_OFF = { firstMs: 500, longestMs: 60_000 };
/** What breaks earlier was no connection. */
const STEADY_MS = 30_000;
const MOST_FIRST_TRIES = 3;
const MOST_RESUMES = 3;
const FAREWELL_MS = 3_000;

export interface SocketOptions {
  readonly sdk: Pick<Sdk, 'WebSocketShard'>;
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly log: Log;
  /** Without version. */
  readonly url: string;
  /** To go on with; absent = a new one. */
  readonly session: Omit<GatewaySession, 'sequence'> | undefined;
  /** Up to which number everything is stored. */
  readonly acknowledged: () => number;
  /** A session began, and nothing of an older one follows. */
  readonly onSession: (session: GatewaySession) => void;
  readonly onDispatch: (dispatch: Dispatch) => void;
  readonly onState: (state: PlatformState) => void;
  /** Resolves when a new session may be asked for; rejects with the signal. */
  readonly mayIdentify: (signal: AbortSignal) => Promise<void>;
}

export class GatewaySocket {
  readonly #options: SocketOptions;
  readonly #told: (state: PlatformState) => void;
  readonly #shard: Shard;
  readonly #stopping = new AbortController();
  readonly #opened = Promise.withResolvers<void>();
  #session: SocketOptions['session'];
  #isSessionOver = false;
  /** Since it was steady. */
  #tries = 0;
  /** Greeted since the session worked last. */
  #greetings = 0;
  #isGreeted = false;
  /** Since the last try. */
  #wasAnswered = false;
  #isEnding = false;
  #isAsking = false;
  #hasOpened = false;
  #readyAt: number | undefined;
  #lastClose = '';

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#told = tellChanges(options.onState);
    this.#session = options.session;
    this.#shard = new options.sdk.WebSocketShard(this.#strategy(), 0);
    this.#guard();
    this.#listen();
    // What it says when it fails, its events say too.
    this.#shard.connect().catch((error: unknown) => options.log.debug({ err: error }, 'no first connection'));
  }

  /** Resolves when events come. Throws AUTH_PLATFORM_TOKEN, CONFIG_INVALID or UNAVAILABLE_PLATFORM. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Tells Discord what is stored; otherwise it hears so with the next beat, every 41 seconds. */
  async acknowledge(): Promise<void> {
    if (this.#readyAt === undefined) return;
    await this.#shard.send({ op: HEARTBEAT, d: this.#options.acknowledged() });
  }

  /** Comes back to the same session: what was not taken is handed out again. */
  reconnect(): void {
    if (this.#stopping.signal.aborted || this.#readyAt === undefined) return;
    this.#shard
      .destroy({ code: COME_BACK, recover: RESUME })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'no new connection to Discord'));
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#opened.reject(new HermesError('UNAVAILABLE_PLATFORM', 'The connection was closed.'));
    this.#opened.promise.catch((error: unknown) => this.#options.log.debug({ err: error }, 'not opened'));
    // One that is being made may not be touched: the library would leave its errors to nobody. It is closed when it greets.
    if (!this.#isGreeted) return;
    const { clock } = this.#options;
    const late = Promise.withResolvers<void>();
    // A dead connection says goodbye for half a minute.
    const timer = clock.after(FAREWELL_MS, () => late.resolve());
    await Promise.race([this.#shard.destroy({ code: COME_BACK, reason: 'Stopped' }), late.promise]);
    timer.cancel();
  }

  #strategy(): IContextFetchingStrategy {
    const { endpoint, url, mayIdentify } = this.#options;
    return {
      options: shardOptions(url, endpoint.token),
      retrieveSessionInfo: () => (this.#shard.status === IDLE ? this.#beforeConnecting() : this.#info()),
      updateSessionInfo: (_, info) => this.#update(info),
      waitForIdentify: (_, signal) => mayIdentify(AbortSignal.any([signal, this.#stopping.signal])),
    };
  }

  /** The library asks before each try; how soon that is, is decided here. One that is stopped never gets an answer. */
  async #beforeConnecting(): Promise<SessionInfo | null> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    const never = new Promise<never>(() => undefined);
    if (this.#isAsking || signal.aborted) return never;
    this.#isAsking = true;
    this.#isEnding = false;
    this.#tries += 1;
    if (this.#tries > 2 || (this.#tries > 1 && this.#readyAt === undefined)) this.#tellOffline();
    if (!this.#hasOpened && this.#tries > MOST_FIRST_TRIES) {
      this.#opened.reject(this.#unreachable());
      return never;
    }
    this.#readyAt = undefined;
    if (this.#tries > 1) {
      const growth = this.#wasAnswered ? ANSWERED_BACK_OFF : BACK_OFF;
      await pause(clock, backOffMs(this.#tries - 1, growth), signal);
      if (signal.aborted) return never;
    }
    this.#isAsking = false;
    this.#wasAnswered = false;
    return this.#info();
  }

  #info(): SessionInfo | null {
    if (!this.#session) return null;
    const { id, resumeUrl } = this.#session;
    const { url, acknowledged } = this.#options;
    // Where the session was kept may be gone; another server finds it.
    const resumeURL = this.#tries > 1 || !isSameGateway(resumeUrl, url) ? url : resumeUrl.replace(/\/+$/, '');
    return { sessionId: id, resumeURL, sequence: acknowledged(), shardId: 0, shardCount: 1 };
  }

  /** The library drops a session also when the network is gone; it may well be resumed. */
  #update(info: SessionInfo | null): void {
    if (info === null) {
      if (this.#isSessionOver || this.#greetings >= MOST_RESUMES) this.#session = undefined;
      return;
    }
    if (info.sessionId === this.#session?.id) return;
    this.#session = { id: info.sessionId, resumeUrl: info.resumeURL };
    this.#isSessionOver = false;
    this.#options.onSession({ ...this.#session, sequence: info.sequence });
  }

  #guard(): void {
    const { log } = this.#options;
    // Private, and the only place to look at a frame before the library does; the tests with broken frames watch over it.
    const shard = this.#shard as unknown as { onMessage(data: unknown, isBinary: boolean): Promise<void> };
    const pass = shard.onMessage.bind(shard);
    shard.onMessage = async (data, isBinary) => {
      const frame = readFrame(data);
      if (!frame || this.#isEnding) return;
      this.#isEnding = endsConnection(frame);
      if (frame.op === 9 && !frame.d) this.#isSessionOver = true;
      try {
        await pass(data, isBinary);
      } catch (error) {
        log.warn({ err: error }, 'a frame of Discord’s gateway was not understood');
      }
    };
  }

  #listen(): void {
    const { onDispatch, log } = this.#options;
    this.#shard.on('hello', () => this.#greeted());
    this.#shard.on('ready', () => this.#ready());
    this.#shard.on('resumed', () => this.#ready());
    this.#shard.on('dispatch', ({ data }) => {
      const dispatch = dispatchShape.safeParse(data).data;
      if (dispatch) onDispatch(dispatch);
    });
    this.#shard.on('error', ({ error }) => {
      this.#lastClose = error.message;
      log.debug({ err: error }, 'Discord’s gateway failed');
    });
    this.#shard.on('closed', ({ code }) => this.#closed(code));
  }

  #greeted(): void {
    this.#greetings += 1;
    this.#isGreeted = true;
    this.#wasAnswered = true;
    if (!this.#stopping.signal.aborted) return;
    this.#shard
      .destroy({ code: COME_BACK, reason: 'Stopped' })
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'a late connection was not closed'));
  }

  #ready(): void {
    this.#readyAt = this.#options.clock.monotonic();
    this.#greetings = 0;
    this.#hasOpened = true;
    this.#opened.resolve();
    this.#tell({ kind: 'connected' });
  }

  #closed(code: number): void {
    const { clock, endpoint } = this.#options;
    this.#isGreeted = false;
    this.#lastClose = `closed with ${code}`;
    if (endsSession(code)) {
      this.#isSessionOver = true;
      // The library would ask for it once more after some of them.
      this.#session = undefined;
    }
    if (this.#readyAt !== undefined && clock.monotonic() - this.#readyAt >= STEADY_MS) this.#tries = 0;
    const fatal = fatalOf(code, endpoint);
    if (!fatal || this.#stopping.signal.aborted) return;
    this.#readyAt = undefined;
    this.#tell({ kind: 'failed', code: fatal.code, reason: fatal.message });
    this.#opened.reject(fatal);
    this.#opened.promise.catch((error: unknown) =>
      this.#options.log.debug({ err: error }, 'failed for good'),
    );
  }

  #tellOffline(): void {
    if (this.#hasOpened) this.#tell({ kind: 'offline', reason: this.#unreachable().message });
  }

  #unreachable(): HermesError {
    const host = URL.parse(this.#options.url)?.host ?? this.#options.url;
    const last = this.#lastClose === '' ? 'it does not answer' : this.#lastClose;
    const message = `Discord’s gateway at ${host} is not reachable: ${last}. It is tried again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message);
  }

  #tell(state: PlatformState): void {
    if (!this.#stopping.signal.aborted) this.#told(state);
  }
}
