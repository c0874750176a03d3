// Calls of the signal-cli daemon over HTTP: each ends within its time, or when the connection is closed, and fails with our
// own errors only.
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { jsonOf } from '../../base/json-of.ts';
import { readWithin } from './body.ts';
import { type Endpoint, httpFault, rpcErrorShape, rpcFault, unreachable, unreadable } from './faults.ts';

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export type Params = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 60_000;
/** Of an answer that is no file. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

const answerShape = z.object({ result: z.unknown().optional(), error: rpcErrorShape.nullish() });

export class Client {
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

  /** The result as it came, whatever it is: nothing has looked at it. */
  call(method: string, params: Params, options: CallOptions = {}): Promise<unknown> {
    return this.post(method, this.requestFor(method, params), options, response =>
      this.readResult(method, response),
    );
  }

  /** Throws what the daemon says instead of a result. */
  async readResult(method: string, { body }: Response): Promise<unknown> {
    const tooLarge = (): HermesError => unreadable(method, this.endpoint);
    const bytes = await readWithin(body ?? [], LARGEST_ANSWER, tooLarge);
    return this.resultIn(method, bytes.toString('utf8'));
  }

  /** JSON of one call; the account is named for a daemon that has several. */
  requestFor(method: string, params: Params): string {
    const { account } = this.endpoint;
    return JSON.stringify({ jsonrpc: '2.0', id: newId(), method, params: { account, ...params } });
  }

  /** Throws what the daemon says instead of a result. */
  resultIn(method: string, text: string): unknown {
    const { data } = answerShape.safeParse(jsonOf(text));
    if (!data) throw unreadable(method, this.endpoint);
    if (data.error) throw rpcFault(data.error, method, this.endpoint);
    return data.result;
  }

  /** Posts a call and reads its answer with `read`. */
  post<T>(
    method: string,
    body: string | AsyncIterable<Uint8Array>,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    return this.timed(method, options, async signal => {
      // Node's fetch repeats a request after 421 and fails then, because a text is read already; what is read once it returns as it is.
      const once = typeof body === 'string' ? bytesOf(body) : body;
      const headers = {
        'content-type': 'application/json',
        ...(typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      };
      // A body that is made as it is sent has to say that no answer comes before its end.
      const init = { method: 'POST', headers, body: once, signal, duplex: 'half' } as const;
      return read(await this.fetch('rpc', init, method));
    });
  }

  /** Throws for every answer but a good one. */
  async fetch(path: string, init: RequestInit, method: string): Promise<Response> {
    const response = await fetch(`${this.endpoint.url}/api/v1/${path}`, { ...init, redirect: 'error' });
    if (response.ok) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw httpFault(response.status, method, this.endpoint, seconds > 0 ? seconds * 1000 : undefined);
  }

  /** Any request to the daemon; `work` must heed the signal. */
  async timed<T>(
    method: string,
    { timeoutMs = TIMEOUT_MS, signal }: CallOptions,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    const timer = this.clock.after(timeoutMs, () => timeout.abort());
    const given = signal ? [signal] : [];
    try {
      return await work(AbortSignal.any([timeout.signal, this.closing, ...given]));
    } catch (error) {
      signal?.throwIfAborted();
      if (this.closing.aborted) throw this.#interrupted(method, 'the connection was closed');
      if (timeout.signal.aborted) throw this.#interrupted(method, `no answer within ${timeoutMs / 1000} s`);
      throw unreachable(error, method, this.endpoint);
    } finally {
      timer.cancel();
    }
  }

  #interrupted(method: string, reason: string): HermesError {
    const message = `The signal-cli daemon at ${this.endpoint.url} did not finish ${method}: ${reason}. Try again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message, {
      details: { method, reason, mayBeDelivered: true },
    });
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
