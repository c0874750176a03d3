// The connection to the service: the SDK, loaded when it is wanted, and one client of it. What it throws is translated here.
import type { App, Logger, ModalClient, ModalClientParams } from 'modal';
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import type { SandboxRef } from '../backend.ts';
import { patiently } from './patience.ts';
import type { ModalSettings } from './plan.ts';
import { type Circumstances, noSdk, noToken, type Reason, reasonOf } from './reasons.ts';

/** How long the SDK itself waits when the service says when to come again. */
const THROTTLE_SECONDS = 20;
/** Nothing that is asked for takes as long, but for images and new sandboxes. */
const ANSWER_MS = 45_000;
const OWN_SERVER = 'https://api.modal.com';

export type LoadSdk = () => Promise<typeof import('modal')>;

const loadSdk: LoadSdk = () => import('modal');

type Middleware = NonNullable<ModalClientParams['grpcMiddleware']>[number];

export class Cloud {
  readonly app: string;
  readonly #settings: ModalSettings;
  readonly #load: LoadSdk;
  readonly #closed = new AbortController();
  /** Errors of calls that were refused for being too many. */
  readonly #limited = new WeakSet<object>();
  #client: Promise<ModalClient> | undefined;
  #app: Promise<App> | undefined;

  readonly #clock: Clock;

  constructor(settings: ModalSettings, clock: Clock, load: LoadSdk = loadSdk) {
    this.#settings = settings;
    this.#clock = clock;
    this.#load = load;
    this.app = settings.get('terminal.modal_app');
  }

  /** Aborted when nobody wants anything any more; what waits for the service must not keep the process. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Throws UNAVAILABLE_BACKEND. No connection is made by this alone. */
  client(): Promise<ModalClient> {
    this.#client ??= forgetting(this.#connect(), () => {
      this.#client = undefined;
    });
    return this.#client;
  }

  /** An answer of the service, within a time after which there is none. Throws TookTooLong and the signal's reason besides. */
  answer<T>(work: Promise<T>, options: { ms?: number; signal?: AbortSignal | undefined } = {}): Promise<T> {
    return patiently(work, { clock: this.#clock, ms: ANSWER_MS, ...options });
  }

  /** Made where it is missing. Throws UNAVAILABLE_BACKEND. */
  async appHandle(): Promise<App> {
    const client = await this.client();
    this.#app ??= forgetting(this.answer(client.apps.fromName(this.app, { createIfMissing: true })), () => {
      this.#app = undefined;
    });
    return this.#app.catch((error: unknown) => {
      throw this.unavailable(error);
    });
  }

  /** It was ended at the service; the next one who wants it makes it anew. */
  forgetApp(): void {
    this.#app = undefined;
  }

  close(): void {
    this.#closed.abort();
    void this.#client?.then(
      client => client.close(),
      // It never came to be.
      () => undefined,
    );
  }

  reasonOf(error: unknown): Reason {
    const it: Circumstances = {
      app: this.app,
      server: this.#settings.get('terminal.modal_server_url') ?? OWN_SERVER,
      regions: this.#settings.get('terminal.modal_region'),
      isRateLimit: error instanceof Error && this.#limited.has(error),
    };
    return reasonOf(error, it);
  }

  /** Errors of ours pass through. */
  unavailable(error: unknown): Error {
    return error instanceof HermesError ? error : backendError(this.reasonOf(error), error);
  }

  async #connect(): Promise<ModalClient> {
    const sdk = await this.#load().catch((error: unknown) => {
      if (systemErrorCode(error) === 'ERR_MODULE_NOT_FOUND') throw backendError(noSdk, error);
      throw error;
    });
    const tokenId = this.#settings.get('terminal.modal_token_id');
    const tokenSecret = this.#settings.get('terminal.modal_token_secret');
    const client = clientFor(sdk.ModalClient, this.#settings.get('terminal.modal_server_url'), {
      ...(tokenId === undefined ? {} : { tokenId }),
      ...(tokenSecret === undefined ? {} : { tokenSecret }),
      ...{
        logger: silent,
        maxThrottleWaitSecs: THROTTLE_SECONDS,
        grpcMiddleware: [noteLimits(this.#limited)],
      },
    });
    const { tokenId: id, tokenSecret: secret, oauthRefreshToken } = client.profile;
    if (!oauthRefreshToken && (!id || !secret)) throw backendError(noToken);
    return client;
  }
}

/** What it has to tell comes as errors; it would print into somebody's answer. */
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Sandboxes of the newer kind, whatever the operator's own programs use: those of the older one are asked for by other calls. */
function clientFor(
  Client: typeof ModalClient,
  server: string | undefined,
  params: ModalClientParams,
): ModalClient {
  const client = server === undefined ? new Client(params) : elsewhere(Client, server, params);
  client.profile.sandboxV2 = true;
  return client;
}

/**
 * The SDK takes an address from the process's own environment alone. A client's client for another server, with which it
 * asks for tokens as well, is the way in that it leaves.
 */
function elsewhere(Client: typeof ModalClient, server: string, params: ModalClientParams): ModalClient {
  const plain = new Client(params);
  const cpClient = plain.ipClient(server);
  Object.assign(plain, { cpClient });
  const client = new Client({ ...params, cpClient });
  client.profile.serverUrl = server;
  return client;
}

/** A rate limit differs from a quota by a detail behind the answer, which the SDK does not pass on. */
function noteLimits(limited: WeakSet<object>): Middleware {
  return async function* (call, options) {
    let details: Uint8Array | undefined;
    try {
      return yield* call.next(call.request, {
        ...options,
        onTrailer(trailer) {
          details = trailer.get('grpc-status-details-bin');
          options.onTrailer?.(trailer);
        },
      });
    } catch (error) {
      const isLimit = details !== undefined && Buffer.from(details).includes('RPCRetryPolicy');
      if (isLimit && error instanceof Error) limited.add(error);
      throw error;
    }
  };
}

function backendError({ name, message, fix }: Reason, cause?: unknown): HermesError {
  return new HermesError('UNAVAILABLE_BACKEND', `${message} ${fix}`, {
    details: { reason: name, message, fix },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function gone(ref: SandboxRef, why: string, cause?: unknown): HermesError {
  return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} ${why}.`, {
    details: { ref },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A failure is asked anew by the next one. */
function forgetting<T>(work: Promise<T>, forget: () => void): Promise<T> {
  work.catch(forget);
  return work;
}
