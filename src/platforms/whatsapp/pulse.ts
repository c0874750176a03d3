// Asks now and then whether the account still works: nothing else would say that WhatsApp is out of reach, or the token revoked,
// before an answer is lost to it.
import { isHermesError } from '../../base/errors.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { ConnectOptions, PlatformState } from '../platform.ts';
import { tellChanges } from '../tell-changes.ts';
import type { Graph } from './graph.ts';

export interface PulseOptions extends Pick<ConnectOptions, 'onState'> {
  readonly graph: Graph;
  /** Throws when it does not work. */
  readonly check: (signal: AbortSignal) => Promise<unknown>;
}

const EVERY_MS = 30_000;
const BACK_OFF = { firstMs: 1_000, longestMs: 10_000 };

export class Pulse {
  readonly #tell: (state: PlatformState) => void;
  readonly #options: PulseOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #failures = 0;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#tell = tellChanges(options.onState);
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#tell({ kind: 'connected' });
    while (!signal.aborted) {
      await this.#wait();
      if (signal.aborted) return;
      const failure = await this.#failure();
      if (signal.aborted) return;
      if (isHermesError(failure, 'AUTH_PLATFORM_TOKEN')) {
        this.#tell({ kind: 'failed', code: failure.code, reason: failure.message });
        return;
      }
      this.#failures = failure === undefined ? 0 : this.#failures + 1;
      this.#tell(
        failure === undefined ? { kind: 'connected' } : { kind: 'offline', reason: reasonOf(failure) },
      );
    }
  }

  async #failure(): Promise<unknown> {
    try {
      await this.#options.check(this.#stopping.signal);
      return undefined;
    } catch (error) {
      return error ?? 'no reason';
    }
  }

  /** Ends early when it is stopped. */
  async #wait(): Promise<void> {
    const { signal } = this.#stopping;
    const ms = this.#failures === 0 ? EVERY_MS : backOffMs(this.#failures, BACK_OFF);
    await pause(this.#options.graph.clock, ms, signal);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
