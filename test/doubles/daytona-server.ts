// A double of Daytona on loopback: the API for sandboxes and the toolbox in each of them (REST and WebSocket), with machines of
// bubblewrap underneath that really run what is sent, and faults that are scripted per call or random. Others use the same
// organisation: their sandboxes are in every list, and no call may change them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Draws } from '../seed.ts';
import { type BoxRequest, type Change, DaytonaBox } from './daytona-box.ts';
import { DAYTONA_REFUSALS, type DaytonaFault, DaytonaFaults, TOO_MANY } from './daytona-faults.ts';
import { DaytonaThrottle, type Headers, retryAfter, type Throttler } from './daytona-throttle.ts';

export interface DaytonaDouble {
  /** For terminal.daytona_api_url. */
  readonly apiUrl: string;
  readonly key: string;
  /** `METHOD /path` of every call that arrived, refused ones too. */
  readonly calls: readonly string[];
  /** How many messages the connections to terminals have brought. */
  readonly typed: number;
  /** How many sandboxes were ever made: each is billed. */
  readonly made: number;
  /** Those that there are, without those of others. */
  readonly boxes: readonly DaytonaBox[];
  /** Calls that wanted to change a sandbox of others; a driver makes none. */
  readonly trespasses: readonly string[];
  box(name: string): DaytonaBox;
  /** The next calls that match go wrong. */
  fault(call: RegExp, fault: DaytonaFault, options?: { times?: number }): void;
  /** From now on, one call in so many goes wrong. */
  faultAtRandom(draws: Draws, oneIn: number): void;
  heal(): void;
  /** How many calls a minute it takes. */
  limit(throttler: Throttler, calls: number): void;
  /** The next sandbox that is made ends in the state error. */
  failNext(reason: string): void;
  /** Each way, of every call and every message. */
  setLatency(ms: number): void;
  /** Breaks every connection to terminals. */
  cutStreams(): void;
  close(): Promise<void>;
}

/** The toolbox closes connections with longer messages. */
const MOST_MESSAGE = 64 * 1024;
const PAGE = 3;

/** What others of the organisation have: without labels, with their own, and with a name that is like ours. */
const OTHERS: readonly BoxRequest[] = [
  { name: 'build-agent' },
  { name: 'hermes-somebody', labels: { team: 'data', 'hermes-installation': 'elsewhere' } },
  { name: 'preview-1', labels: { 'daytona.io/app': 'preview' } },
];

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Headers;
}

export interface DaytonaOptions {
  /** For rate limits, auto-stop, auto-archive and auto-delete. Absent = the system's. */
  readonly clock?: Clock;
}

export async function startDaytona({ clock = systemClock }: DaytonaOptions = {}): Promise<DaytonaDouble> {
  const double = new Double(clock);
  await double.listen();
  return double;
}

class Double implements DaytonaDouble {
  readonly key = 'dtn_double-of-a-key-for-tests';
  readonly calls: string[] = [];
  readonly trespasses: string[] = [];
  typed = 0;
  made = 0;
  readonly #clock: Clock;
  readonly #throttle: DaytonaThrottle;
  readonly #boxes = new Map<string, DaytonaBox>();
  readonly #others = new Map<string, DaytonaBox>();
  readonly #faults = new DaytonaFaults();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE,
    perMessageDeflate: false,
  });
  #origin = '';
  #latencyMs = 0;
  #failure: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#throttle = new DaytonaThrottle(clock);
  }

  get apiUrl(): string {
    return `${this.#origin}/api`;
  }

  get boxes(): readonly DaytonaBox[] {
    return [...this.#boxes.values()].filter(({ isGone }) => !isGone);
  }

  box(name: string): DaytonaBox {
    const found = this.#find(name);
    if (!found) throw new Error(`there is no sandbox ${name}`);
    return found;
  }

  fault(call: RegExp, fault: DaytonaFault, { times = 1 } = {}): void {
    this.#faults.add(call, fault, times);
  }

  faultAtRandom(draws: Draws, oneIn: number): void {
    this.#faults.addRandom(draws, oneIn);
  }

  heal(): void {
    this.#faults.heal();
  }

  limit(throttler: Throttler, calls: number): void {
    this.#throttle.setLimit(throttler, calls);
  }

  failNext(reason: string): void {
    this.#failure = reason;
  }

  setLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  cutStreams(): void {
    for (const box of this.boxes) box.ptys?.cut();
  }

  async listen(): Promise<void> {
    this.#server.on('upgrade', (request, socket, head) => {
      const call = `GET ${request.url}`;
      this.calls.push(call);
      const [, id = '', pty = ''] =
        /^\/toolbox\/([^/]+)\/process\/pty\/([^/]+)\/connect$/.exec(request.url ?? '') ?? [];
      const ptys = this.#find(id)?.ptys;
      if (!ptys || !this.#isAllowed(request) || this.#faults.take(call)) return socket.destroy();
      return void setTimeout(
        () =>
          this.#sockets.handleUpgrade(request, socket, head, client => {
            client.on('message', () => this.typed++);
            ptys.connect(pty, client);
          }),
        2 * this.#latencyMs,
      );
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // A server that listens on a port has such an address.
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    for (const request of OTHERS) {
      const other = this.#newBox(request);
      other.state = 'started';
      this.#others.set(other.id, other);
    }
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
    for (const box of this.boxes) {
      box.delete();
      await box.settled();
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.url}`;
    this.calls.push(call);
    const fault = this.#faults.take(call);
    const body = await text(request);
    await this.#travel();
    if (fault === 'drop') return void request.socket.destroy();
    const { headers, isBlocked } = this.#throttle.count(
      request.method ?? '',
      request.url?.split('?')[0] ?? '',
    );
    const answer = isBlocked
      ? refused(TOO_MANY)
      : (refusal(fault) ?? (await this.#answer(request, body === '' ? {} : JSON.parse(body))));
    if (fault === 'drop-after') return void request.socket.destroy();
    if (typeof fault === 'object' && 'heldBy' in fault) await fault.heldBy;
    await this.#travel();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...headers,
      ...answer.headers,
    });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  async #travel(): Promise<void> {
    if (this.#latencyMs > 0) await delay(this.#latencyMs);
  }

  #isAllowed(request: IncomingMessage): boolean {
    return request.headers.authorization === `Bearer ${this.key}`;
  }

  async #answer(request: IncomingMessage, body: unknown): Promise<Answer> {
    if (!this.#isAllowed(request)) return refused(DAYTONA_REFUSALS.badKey);
    const { pathname, searchParams } = new URL(request.url ?? '', this.#origin);
    const [root, part, name = '', ...rest] = pathname.split('/').slice(1);
    if (root === 'toolbox') return this.#toolbox(request.method ?? '', [part ?? '', name, ...rest], body);
    if (root !== 'api' || part !== 'sandbox') return notFound(pathname);
    if (name === '') {
      if (request.method === 'GET') return this.#list(searchParams);
      return this.#create(body as BoxRequest); // the client's own type
    }
    const box = this.#find(name);
    const isLook = request.method === 'GET';
    const seen = isLook ? box?.look() : box?.record();
    if (!box || !seen) return notFound(`Sandbox with ID or name ${name}`);
    if (isLook) return { status: 200, body: seen };
    if (this.#others.has(box.id)) this.trespasses.push(`${request.method} ${request.url}`);
    return this.#change(box, request.method ?? '', rest[0]);
  }

  #create(body: BoxRequest): Answer {
    if (body.name !== undefined && this.#find(body.name))
      return refused({ status: 409, message: `Sandbox with name ${body.name} already exists` });
    if (body.snapshot?.startsWith('missing'))
      return refused({ status: 400, message: `Snapshot ${body.snapshot} not found` });
    const box = this.#newBox(body);
    this.made++;
    this.#boxes.set(box.id, box);
    const reason = this.#failure;
    this.#failure = undefined;
    if (reason === undefined) box.make();
    else box.fail(reason);
    return { status: 200, body: box.look() };
  }

  #newBox(request: BoxRequest): DaytonaBox {
    return new DaytonaBox({
      request,
      toolboxProxyUrl: `${this.#origin}/toolbox`,
      latencyMs: () => this.#latencyMs,
      clock: this.#clock,
    });
  }

  #list(query: URLSearchParams): Answer {
    const wanted = Object.entries(JSON.parse(query.get('labels') ?? '{}') as Record<string, string>); // the client's own JSON
    const all = [...this.#others.values(), ...this.boxes].filter(({ request }) =>
      wanted.every(([key, value]) => request.labels?.[key] === value),
    );
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Math.min(Number(query.get('limit') ?? PAGE), PAGE);
    const items = all.slice(from, to).map(box => box.record());
    return { status: 200, body: { items, nextCursor: to < all.length ? String(to) : null } };
  }

  #change(box: DaytonaBox, method: string, verb: string | undefined): Answer {
    if (verb === 'last-activity') {
      box.touched++;
      box.touch();
      return { status: 200, body: box.record() };
    }
    const change = method === 'DELETE' ? 'delete' : CHANGES.find(each => each === verb);
    if (change === undefined) return notFound(`${method} ${verb}`);
    if (box.change(change)) return { status: 200, body: box.record() };
    return refused({ status: 409, message: 'Sandbox state change in progress' });
  }

  async #toolbox(method: string, [id = '', ...path]: readonly string[], body: unknown): Promise<Answer> {
    const box = this.#find(id);
    if (!box) return notFound(`Sandbox ${id}`);
    if (!box.ptys) return refused({ status: 400, message: `Sandbox is not started: ${box.state}` });
    box.touch();
    const given = body as Record<string, unknown>; // the client's own type
    if (path.join('/') === 'process/execute') {
      const [program = 'false', ...args] = wordsOf(String(given['command']));
      const child = box.machine?.exec([program, ...args]);
      const [result, [exitCode]] = child
        ? await Promise.all([text(child.stdout), once(child, 'exit')])
        : ['', [1]];
      return { status: 200, body: { exitCode, result } };
    }
    if (path[0] !== 'process' || path[1] !== 'pty') return notFound(path.join('/'));
    if (method === 'DELETE')
      return box.ptys.delete(path[2] ?? '') ? { status: 200, body: {} } : notFound('PTY session');
    const sessionId = String(given['id']);
    if (box.ptys.has(sessionId)) return refused({ status: 409, message: 'PTY session already exists' });
    const envs = (given['envs'] ?? {}) as Record<string, string>; // the client's own type
    box.ptys.create({ id: sessionId, envs, lazyStart: given['lazyStart'] === true });
    return { status: 201, body: { sessionId } };
  }

  #find(name: string): DaytonaBox | undefined {
    const all = [...this.#boxes.values(), ...this.#others.values()];
    return all.find(({ id }) => id === name) ?? all.find(box => box.name === name && !box.isEnding);
  }
}

const CHANGES: readonly Change[] = ['start', 'stop', 'archive', 'recover'];

/** As the real one splits them: quotes group, and nothing is escaped. */
function wordsOf(command: string): string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|[^ ]+/g),
    ([all, double, single]) => double ?? single ?? all,
  );
}

function refusal(fault: DaytonaFault | undefined): Answer | undefined {
  return typeof fault === 'object' && 'status' in fault ? refused(fault) : undefined;
}

/** In the words of apps/api/src/filters/all-exceptions.filter.ts. */
function refused({ status, message, limited }: Extract<DaytonaFault, { status: number }>): Answer {
  return {
    status,
    body: { statusCode: status, error: 'Http Exception', message },
    headers: limited ? retryAfter(limited.by, limited.seconds) : {},
  };
}

function notFound(what: string): Answer {
  return refused({ status: 404, message: `${what} not found` });
}
