// Calls of Discord's REST API through @discordjs/rest: each ends within its time, or when the connection is closed, and fails
// with our own errors only. Limits are reported, never slept through: the library would wait for as long as it takes.
import type { REST, RouteLike } from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { timed } from '../timed.ts';
import { discordFault, type Endpoint } from './faults.ts';
import type { Sdk } from './sdk.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: RouteLike;
  /** What it is for, as the end of "Discord could not …". */
  readonly what: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  /** `none`: the address says who we are. */
  readonly auth?: 'none';
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 60_000;
/** The library's own limit stands behind ours. */
const LONGEST_CALL_MS = 15 * 60_000;

export class Client {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly #rest: REST;
  readonly #closing = new AbortController();

  constructor(endpoint: Endpoint, clock: Clock, sdk: Pick<Sdk, 'REST'>) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.#rest = new sdk.REST({
      api: endpoint.apiRoot,
      version: '10',
      retries: 0,
      timeout: LONGEST_CALL_MS,
      offset: 0,
      rejectOnRateLimit: () => true,
    }).setToken(endpoint.token);
  }

  /** Aborts when the connection is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#rest.clearHashSweeper();
    this.#rest.clearHandlerSweeper();
  }

  /** The answer as it came, whatever it is: nothing has looked at it. */
  call({ method, path, what, body, query, file, auth, timeoutMs, signal }: Call): Promise<unknown> {
    return this.timed(what, { timeoutMs, signal }, async within =>
      this.#rest.request({
        // The library's enum has these very words.
        method: method as never,
        fullRoute: path,
        signal: within,
        auth: auth !== 'none',
        ...(file ? await formOf(file, body) : { body }),
        ...(query ? { query: new URLSearchParams(query) } : {}),
      }),
    );
  }

  /** Any request; `work` must heed the signal. */
  timed<T>(
    what: string,
    { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, closing } = this;
    return timed(
      {
        ...{ clock, closing, timeoutMs, signal },
        interrupted: reason => this.#interrupted(what, reason),
        fault: error => {
          // The library forgets a token that was refused once; whether it still is, is for Discord to say.
          this.#rest.setToken(this.endpoint.token);
          return discordFault(error, what, this.endpoint);
        },
      },
      work,
    );
  }

  #interrupted(what: string, reason: string): HermesError {
    const message = `Discord at ${this.endpoint.apiRoot} did not ${what}: ${reason}. Try again.`;
    return new HermesError('UNAVAILABLE_PLATFORM', message, {
      details: { what, reason, mayBeDelivered: true },
    });
  }
}

/** All of it as bytes: a form that is streamed fails in nobody's hands when the connection breaks off, and ends the process. */
async function formOf({ name, bytes }: NonNullable<Call['file']>, body: unknown): Promise<object> {
  const form = new FormData();
  form.set('payload_json', JSON.stringify(body ?? {}));
  form.set('files[0]', new File([Uint8Array.from(bytes)], name));
  const written = new Response(form);
  return {
    body: new Uint8Array(await written.arrayBuffer()),
    headers: { 'content-type': written.headers.get('content-type') ?? '' },
    passThroughBody: true,
  };
}
