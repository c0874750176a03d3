// Calls of the Web API through Slack's own client: each ends within its time, or when the connection is closed, is made once,
// and fails with our own errors only.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { timed } from '../timed.ts';
import { type Endpoint, slackFault, type TokenKind } from './faults.ts';
import { sdkOptions } from './sdk-options.ts';

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 60_000;

export class Client {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly #web: Readonly<Record<TokenKind, WebClient>>;
  readonly #signals: AsyncLocalStorage<AbortSignal>;
  readonly #closing = new AbortController();
  #onRefused: (error: HermesError) => void = () => undefined;

  private constructor(
    endpoint: Endpoint,
    clock: Clock,
    {
      web,
      signals,
    }: { web: Readonly<Record<TokenKind, WebClient>>; signals: AsyncLocalStorage<AbortSignal> },
  ) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.#web = web;
    this.#signals = signals;
  }

  /** Slack's client is loaded only now. */
  static async open(endpoint: Endpoint, clock: Clock): Promise<Client> {
    const { WebClient: Web } = await import('@slack/web-api');
    const signals = new AsyncLocalStorage<AbortSignal>();
    const options = sdkOptions(endpoint, () => signals.getStore());
    const web = { bot: new Web(endpoint.botToken, options()), app: new Web(endpoint.appToken, options()) };
    return new Client(endpoint, clock, { web, signals });
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Told of every token that Slack does not take any more. */
  whenRefused(told: (error: HermesError) => void): void {
    this.#onRefused = told;
  }

  close(): void {
    this.#closing.abort();
  }

  /** The answer as it came: nothing has looked at it. */
  call(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions & { readonly token?: TokenKind } = {},
  ): Promise<unknown> {
    const { token = 'bot' } = options;
    return this.timed(method, options, signal =>
      this.#signals.run(signal, () => this.#web[token].apiCall(method, params)),
    );
  }

  /** Any request to Slack; `work` must heed the signal. */
  timed<T>(
    method: string,
    options: CallOptions & { readonly token?: TokenKind },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs = TIMEOUT_MS, signal, token = 'bot' } = options;
    const { clock, closing } = this;
    return timed(
      {
        ...{ clock, closing, timeoutMs, signal },
        interrupted: reason => this.#interrupted(method, reason),
        fault: error => {
          const fault = slackFault(error, { method, token, endpoint: this.endpoint });
          if (fault.code === 'AUTH_PLATFORM_TOKEN') this.#onRefused(fault);
          return fault;
        },
      },
      work,
    );
  }

  #interrupted(method: string, reason: string): HermesError {
    const message = `Slack at ${this.endpoint.apiRoot} did not finish ${method}: ${reason}. Try again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message, {
      details: { method, reason, mayBeDelivered: true },
    });
  }
}
