// Calls of the Bot API through grammY: each ends within its time, or when the connection is closed, and fails with our own
// errors only.
import { Api } from 'grammy';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { timed } from '../timed.ts';
import { type Endpoint, telegramFault } from './faults.ts';

type Raw = Api['raw'];
type Method = keyof Raw;
type GrammySignal = Parameters<Raw['sendMessage']>[1];

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 60_000;

export class Client {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly #raw: Raw;
  readonly #closing = new AbortController();
  readonly #heard = new Set<() => void>();

  constructor(endpoint: Endpoint, clock: Clock) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.#raw = new Api(endpoint.token, { apiRoot: endpoint.apiRoot }).raw;
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
  }

  /** Calls back after every request that succeeded: the server can be reached. */
  onSuccess(heard: () => void): void {
    this.#heard.add(heard);
  }

  /** The result as it came, whatever it is: nothing has looked at it. */
  call<M extends Method>(
    method: M,
    params: Parameters<Raw[M]>[0],
    options: CallOptions = {},
  ): Promise<unknown> {
    return this.timed(method, options, signal => {
      // grammY types signals after a polyfill of the same shape, and its methods as one overload each.
      const run = this.#raw[method] as (params: unknown, signal: GrammySignal) => Promise<unknown>;
      return run(params, signal as unknown as GrammySignal);
    });
  }

  /** Any request to the server; `work` must heed the signal. */
  async timed<T>(
    method: string,
    { timeoutMs = TIMEOUT_MS, signal }: CallOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, closing } = this;
    const result = await timed(
      {
        ...{ clock, closing, timeoutMs, signal },
        interrupted: reason => this.#interrupted(method, reason),
        fault: error => telegramFault(error, method, this.endpoint),
      },
      work,
    );
    for (const heard of this.#heard) heard();
    return result;
  }

  #interrupted(method: string, reason: string): HermesError {
    const message = `Telegram at ${this.endpoint.apiRoot} did not finish ${method}: ${reason}. Try again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message, {
      details: { method, reason, mayBeDelivered: true },
    });
  }
}
