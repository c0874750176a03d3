// Keeps one session of Socket Mode open: a new one in place of each that ends, with back-off, until it is stopped or Slack
// refuses a token. Where Slack asks for another one, that is there before the old one goes.
import { type HermesError, isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { ConnectOptions, PlatformState } from '../platform.ts';
import { tellChanges } from '../tell-changes.ts';
import type { Client } from './client.ts';
import { type Envelope, openSession, type Session } from './session.ts';

/** A session that lasted this long was a good one; those that end sooner make the next one wait. */
const GOOD_MS = 30_000;
const BACK_OFF = { firstMs: 500, longestMs: 10_000 };
const LOST = 'the connection to Slack was lost';

export interface SocketOptions extends Pick<ConnectOptions, 'onState'> {
  readonly client: Client;
  readonly log: Log;
  readonly onEnvelope: (envelope: Envelope) => void;
}

export class Socket {
  readonly #tell: (state: PlatformState) => void;
  readonly #options: SocketOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  readonly #leaving = new Set<Promise<void>>();
  #session: Session;
  /** In a row. */
  #failures = 0;

  private constructor(options: SocketOptions, first: Session) {
    this.#options = options;
    this.#tell = tellChanges(options.onState);
    this.#session = first;
    this.#ended = this.#run();
  }

  /** Throws AUTH_PLATFORM_TOKEN, or UNAVAILABLE_PLATFORM. */
  static async open(options: SocketOptions, signal: AbortSignal | undefined): Promise<Socket> {
    const { client, onEnvelope, log } = options;
    const session = await openSession({ client, onEnvelope, signal: signal ?? client.closing });
    if (session.connections > 1) {
      log.warn(
        { connections: session.connections },
        'another program is connected with the same app-level token, and takes a part of the messages; stop it, or give it an app of its own',
      );
    }
    return new Socket(options, session);
  }

  /** Resolves when Slack knows that nothing is taken any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** A token is refused: nothing will get better. */
  fail(error: HermesError): void {
    if (this.#stopping.signal.aborted) return;
    this.#tell({ kind: 'failed', code: error.code, reason: error.message });
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = new Promise<void>(resolve => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#tell({ kind: 'connected' });
    while (!signal.aborted) {
      const { clock } = this.#options.client;
      const began = clock.monotonic();
      const { closed, leaving } = this.#session;
      const isLost = await Promise.race([
        closed.then(() => true),
        leaving.then(() => false),
        stopped.then(() => false),
      ]);
      if (signal.aborted) break;
      this.#failures = clock.monotonic() - began >= GOOD_MS ? 0 : this.#failures + 1;
      if (isLost) this.#tell({ kind: 'offline', reason: LOST });
      await this.#replace();
    }
    this.#part(this.#session);
    await Promise.all(this.#leaving);
  }

  /** Until there is another one, or it is stopped. */
  async #replace(): Promise<void> {
    const { client, onEnvelope } = this.#options;
    const { signal } = this.#stopping;
    for (let error: unknown; !signal.aborted; ) {
      await this.#backOff(error);
      if (signal.aborted) return;
      try {
        const next = await openSession({ client, onEnvelope, signal });
        this.#part(this.#session);
        this.#session = next;
        this.#tell({ kind: 'connected' });
        return;
      } catch (failure) {
        if (signal.aborted) return;
        if (isHermesError(failure, 'AUTH_PLATFORM_TOKEN')) return this.fail(failure);
        error = failure;
        this.#failures += 1;
        this.#tell({ kind: 'offline', reason: failure instanceof Error ? failure.message : String(failure) });
      }
    }
  }

  #part(session: Session): void {
    const parted = session.end().finally(() => this.#leaving.delete(parted));
    this.#leaving.add(parted);
  }

  async #backOff(error: unknown): Promise<void> {
    const { signal } = this.#stopping;
    const asked = isHermesError(error) ? error.details['retryAfterMs'] : undefined;
    if (this.#failures === 0) return;
    const waitMs = typeof asked === 'number' ? asked : backOffMs(this.#failures, BACK_OFF);
    await pause(this.#options.client.clock, waitMs, signal);
  }
}
