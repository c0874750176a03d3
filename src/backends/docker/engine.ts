// A thin client of the Engine API: one call, one answer, over kept connections; and connections that become streams.
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import { type Endpoint, type Environment, resolveEndpoint } from './endpoint.ts';

/** The engine's answer was a refusal. Beyond the status it only has words, for people. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** No engine could be asked; `cause` is the system's own error. */
export class EngineUnreachable extends Error {
  override readonly name = 'EngineUnreachable';
  readonly endpoint: Endpoint;

  constructor(endpoint: Endpoint, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.endpoint = endpoint;
  }
}

export function isFault(error: unknown, ...statuses: number[]): error is EngineFault {
  return error instanceof EngineFault && statuses.includes(error.status);
}

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Without the version; the query may stand behind it. */
  readonly path: string;
  readonly json?: unknown;
  readonly tar?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** What we speak; an engine that knows less is spoken to in its own version. */
const OUR_VERSION = '1.47';
export const OLDEST_VERSION = '1.40';
const ANSWER_MS = 60_000;

interface Connection {
  readonly endpoint: Endpoint;
  readonly options: RequestOptions;
  readonly version: string;
  /** It is Podman, which makes an empty folder where the source of a mount is missing; Docker refuses. */
  readonly isPodman: boolean;
}

export class Engine {
  readonly #environment: Environment;
  readonly #clock: Clock;
  readonly #agents: (HttpAgent | HttpsAgent)[] = [];
  #connection: Promise<Connection> | undefined;

  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** Resolves the address and the version on the first call; a failure is tried anew the next time. */
  async connect(): Promise<Connection> {
    this.#connection ??= this.#negotiate();
    try {
      return await this.#connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  /** The parsed answer; undefined for an empty one. Throws EngineFault or EngineUnreachable. */
  async json(call: Call): Promise<unknown> {
    const text = (await this.bytes(call)).toString('utf8');
    return text.trim() === '' ? undefined : JSON.parse(text);
  }

  async bytes(call: Call): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.stream(call)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The answer while it comes. */
  async stream(call: Call): Promise<AsyncIterable<Buffer>> {
    const connection = await this.connect();
    const response = await this.#send(connection, { ...call, path: `/v${connection.version}${call.path}` });
    return piecesOf(response, connection.endpoint, call.signal);
  }

  /** Sends a POST that turns its connection into a raw stream in both directions. */
  async hijack(path: string, json: unknown, signal?: AbortSignal): Promise<{ socket: Socket; head: Buffer }> {
    const { endpoint, options, version } = await this.connect();
    const body = JSON.stringify(json);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'Upgrade',
      Upgrade: 'tcp',
    };
    return new Promise((resolve, reject) => {
      const call = sender(endpoint)({
        ...options,
        // A connection of its own, which never goes back to the kept ones.
        agent: false,
        method: 'POST',
        path: `/v${version}${path}`,
        headers,
        ...(signal ? { signal } : {}),
      });
      call.on('upgrade', (_, socket, head) => resolve({ socket: socket as Socket, head })); // http hands out no other kind
      call.on('response', response => faultOf(response).then(reject, reject));
      call.on('error', error =>
        reject(signal?.aborted ? signal.reason : new EngineUnreachable(endpoint, error)),
      );
      call.end(body);
    });
  }

  close(): void {
    for (const agent of this.#agents.splice(0)) agent.destroy();
    this.#connection = undefined;
  }

  async #negotiate(): Promise<Connection> {
    const endpoint = await resolveEndpoint(this.#environment);
    const { address } = endpoint;
    const isTls = 'host' in address && address.tls !== undefined;
    const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.#agents.push(agent);
    const { tls, ...rest } = { tls: undefined, ...address };
    const options: RequestOptions = { agent, ...rest, ...tls };
    const response = await this.#ping({ endpoint, options, version: '', isPodman: false });
    response.resume();
    const offered = response.headers['api-version'];
    const version = typeof offered === 'string' && /^\d+\.\d+$/.test(offered) ? offered : OLDEST_VERSION;
    const isPodman = response.headers['libpod-api-version'] !== undefined;
    return { endpoint, options, version: isOlder(version, OUR_VERSION) ? version : OUR_VERSION, isPodman };
  }

  /** What refuses even this is no engine for us, whatever else it is. */
  async #ping(connection: Connection): Promise<IncomingMessage> {
    try {
      return await this.#send(connection, { method: 'GET', path: '/_ping', timeoutMs: 10_000 });
    } catch (error) {
      throw error instanceof EngineFault ? new EngineUnreachable(connection.endpoint, error) : error;
    }
  }

  async #send(connection: Connection, call: Call): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(connection, call);
    } catch (error) {
      // A kept connection may have been closed by the engine meanwhile; asking again is harmless for these.
      const isStale = error instanceof EngineUnreachable && systemErrorCode(error.cause) === 'ECONNRESET';
      if (!isStale || (call.method !== 'GET' && call.method !== 'HEAD')) throw error;
      return this.#sendOnce(connection, call);
    }
  }

  #sendOnce({ endpoint, options }: Connection, call: Call): Promise<IncomingMessage> {
    const body = call.tar ?? (call.json === undefined ? undefined : Buffer.from(JSON.stringify(call.json)));
    return new Promise((resolve, reject) => {
      const sent = sender(endpoint)({
        ...options,
        method: call.method,
        path: call.path,
        headers: {
          ...(body ? { 'Content-Length': body.length } : {}),
          ...(call.tar ? { 'Content-Type': 'application/x-tar' } : {}),
          ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(call.signal ? { signal: call.signal } : {}),
      });
      const timeoutMs = call.timeoutMs ?? ANSWER_MS;
      const timer = this.#clock.after(timeoutMs, () =>
        sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      );
      sent.on('close', () => timer.cancel());
      sent.on('error', error => {
        timer.cancel();
        reject(call.signal?.aborted ? call.signal.reason : new EngineUnreachable(endpoint, error));
      });
      sent.on('response', response => {
        if ((response.statusCode ?? 500) < 400) resolve(response);
        else faultOf(response).then(reject, reject);
      });
      sent.end(body);
    });
  }
}

async function* piecesOf(
  response: IncomingMessage,
  endpoint: Endpoint,
  signal: AbortSignal | undefined,
): AsyncIterable<Buffer> {
  try {
    yield* response;
  } catch (error) {
    throw signal?.aborted ? signal.reason : new EngineUnreachable(endpoint, error);
  }
}

function sender({ address }: Endpoint): typeof httpRequest {
  return 'host' in address && address.tls ? httpsRequest : httpRequest;
}

async function faultOf(response: IncomingMessage): Promise<EngineFault> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return new EngineFault(response.statusCode ?? 500, messageIn(Buffer.concat(pieces).toString('utf8')));
}

function messageIn(text: string): string {
  const match = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text);
  return match?.[1] === undefined ? text.trim() : String(JSON.parse(match[1])).trim();
}

/** Compares `1.9` and `1.41` by their numbers. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}
