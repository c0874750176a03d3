// What the doubles of all messengers share: a server on loopback that records each call, waits for calls with a limit, fails
// calls as scripted or at random, cuts connections, delays answers, and measures time by the clock of the test.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, sleep, systemClock } from '../../src/base/clock.ts';
import { FaultScript, type RandomFaults } from './fault-script.ts';
import { waitFor } from './wait-for.ts';

export interface WaitOptions {
  /** Only ends a hang: what is waited for should happen at once. */
  readonly timeoutMs?: number;
}

/** What a test does with any double: watch its calls, fail them, cut the line. */
export interface DoubleControls<Call, Fault> {
  /** Every call that arrived, refused ones too. */
  readonly calls: readonly Call[];
  /** The first such call, now or later. */
  whenCalled(name: string, holds?: (call: Call) => boolean, options?: WaitOptions): Promise<Call>;
  /** The next calls of this name, or of one of them, fail; `*` = any. Several are used up in order. */
  fault(names: string | readonly string[], fault: Fault, options?: { times?: number }): void;
  /** A share of the calls fails, drawn from a seed, until `heal`. */
  faultAtRandom(faults: RandomFaults<Fault>): void;
  /** Removes the faults that are left. */
  heal(): void;
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** From now on each answer takes so long, by the double's clock. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export interface DoubleServerOptions<Call> {
  /** How tests name a call, such as `sendMessage`. */
  readonly nameOf: (call: Call) => string;
  /** Whether a name of a test means this call; absent = they are equal. */
  readonly isNamed?: (wanted: string, name: string) => boolean;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Limits and expiry go by it; absent = the system's. */
  readonly clock?: Clock | undefined;
  /** Runs when connections are cut and when the server closes, before the connections end. */
  readonly onCut?: () => void;
}

export class DoubleServer<Call, Fault> implements DoubleControls<Call, Fault> {
  readonly calls: Call[] = [];
  /** Called whenever there may be something new to see. */
  readonly watchers = new Set<() => void>();
  readonly clock: Clock;
  readonly http: Server;
  readonly #options: DoubleServerOptions<Call>;
  readonly #faults: FaultScript<Fault>;
  #isCut = false;
  #delayMs = 0;

  constructor(options: DoubleServerOptions<Call>) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.#faults = new FaultScript(options.isNamed);
    this.http = createServer((request, response) => {
      options.serve(request, response).catch((error: unknown) => response.destroy(error as Error)); // only doubles throw there
    });
    this.http.on('connection', socket => {
      if (this.#isCut) socket.destroy();
    });
  }

  async listen(): Promise<void> {
    this.http.listen(0, '127.0.0.1');
    await once(this.http, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`; // it listens on TCP
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  changed(): void {
    for (const watcher of [...this.watchers]) watcher();
  }

  record(call: Call): void {
    this.calls.push(call);
    this.changed();
  }

  /** Waits as long as answers take, then returns the fault of this call, which is used up by it. */
  async takeFault(name: string): Promise<Fault | undefined> {
    if (this.#delayMs > 0) await sleep(this.clock, this.#delayMs);
    return this.#faults.take(name);
  }

  /** Looks again whenever something changed. `missing` says what was waited for. */
  when<T>(
    look: () => T | undefined,
    { missing, timeoutMs }: WaitOptions & { readonly missing: () => string },
  ): Promise<T> {
    return waitFor({
      ...{ look, watchers: [this.watchers], missing },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  whenCalled(
    name: string,
    holds: (call: Call) => boolean = () => true,
    options: WaitOptions = {},
  ): Promise<Call> {
    const { nameOf, isNamed = (wanted, each) => wanted === each } = this.#options;
    return this.when(() => this.calls.find(call => isNamed(name, nameOf(call)) && holds(call)), {
      ...options,
      missing: () => `no such call of ${name}; there were ${this.calls.map(nameOf).join(', ') || 'none'}`,
    });
  }

  /** The first message for which it holds, among those that `sent` returns. */
  whenAmong<M extends { readonly text: string }>(
    sent: () => readonly M[],
    holds: (message: M) => boolean,
    options: WaitOptions = {},
  ): Promise<M> {
    return this.when(() => sent().find(holds), {
      ...options,
      missing: () => `no such message was sent; there are ${JSON.stringify(sent().map(({ text }) => text))}`,
    });
  }

  fault(names: string | readonly string[], fault: Fault, { times = 1 } = {}): void {
    this.#faults.add([names].flat(), fault, times);
  }

  faultAtRandom(faults: RandomFaults<Fault>): void {
    this.#faults.addRandom(faults);
  }

  heal(): void {
    this.#faults.clear();
  }

  cut(): void {
    this.#isCut = true;
    this.#options.onCut?.();
    this.http.closeAllConnections();
  }

  restore(): void {
    this.#isCut = false;
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  async close(): Promise<void> {
    this.#options.onCut?.();
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, 'close');
  }
}

/** The controls alone, to be part of a double that is an object. */
export function controlsOf<Call, Fault>(server: DoubleServer<Call, Fault>): DoubleControls<Call, Fault> {
  return {
    calls: server.calls,
    whenCalled: (name, holds, options) => server.whenCalled(name, holds, options),
    fault: (names, fault, options) => server.fault(names, fault, options),
    faultAtRandom: faults => server.faultAtRandom(faults),
    heal: () => server.heal(),
    cut: () => server.cut(),
    restore: () => server.restore(),
    delay: ms => server.delay(ms),
    close: () => server.close(),
  };
}

/** Reads all of a body, and keeps no more than `largest` bytes of it. */
export async function readBytes(
  request: IncomingMessage,
  largest = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= largest) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}

export function sendBytes(response: ServerResponse, bytes: Uint8Array): void {
  response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
}
