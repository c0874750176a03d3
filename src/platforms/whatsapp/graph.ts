// Calls of the Graph API: each ends within its time, or when the connection is closed, and fails with our own errors only.
import type { Clock } from '../../base/clock.ts';
import { jsonOf } from '../../base/json-of.ts';
import { timed } from '../timed.ts';
import { type Endpoint, interrupted, refusalFault, transportFault } from './faults.ts';

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Request extends CallOptions {
  /** For errors, such as `a message`. */
  readonly what: string;
  /** Below the address of the API. */
  readonly path: string;
  /** Sent as JSON, or as a form; absent = nothing is sent, and something asked for. */
  readonly body?: Readonly<Record<string, unknown>> | FormData;
}

const TIMEOUT_MS = 60_000;
/** Files are not given to whoever does not say what it is. */
const USER_AGENT = 'hermes-gateway';

export class Graph {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly #closing = new AbortController();

  constructor(endpoint: Endpoint, clock: Clock) {
    this.endpoint = endpoint;
    this.clock = clock;
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
  }

  /** The answer as it came, whatever it is: nothing has looked at it. */
  call({ what, path, body, ...options }: Request): Promise<unknown> {
    return this.timed(what, options, async signal => {
      const response = await this.fetch(`${this.endpoint.apiRoot}/${path}`, { signal, ...contentOf(body) });
      const answer = jsonOf(await response.text());
      if (response.ok) return answer;
      const { status, headers } = response;
      throw refusalFault({ status, body: answer, header: name => headers.get(name) }, what, this.endpoint);
    });
  }

  /** With the token, so only to where it belongs; where that leads elsewhere it fails. */
  fetch(
    url: string,
    { headers = {}, ...init }: Omit<RequestInit, 'headers'> & { headers?: object },
  ): Promise<Response> {
    return fetch(url, {
      ...init,
      redirect: 'error',
      headers: { authorization: `Bearer ${this.endpoint.token}`, 'user-agent': USER_AGENT, ...headers },
    });
  }

  /** Any request to the server; `work` must heed the signal. */
  timed<T>(
    what: string,
    { timeoutMs = TIMEOUT_MS, signal }: CallOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, closing } = this;
    return timed(
      {
        ...{ clock, closing, timeoutMs, signal },
        interrupted: reason => interrupted(what, reason, this.endpoint),
        fault: error => transportFault(error, what, this.endpoint),
      },
      work,
    );
  }
}

function contentOf(body: Request['body']): { method?: string; headers?: object; body?: string | FormData } {
  if (body === undefined) return {};
  if (body instanceof FormData) return { method: 'POST', body };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
