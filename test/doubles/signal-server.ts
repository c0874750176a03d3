// A double of a signal-cli daemon on loopback: JSON-RPC in, server-sent events out, with the people on the other side, and
// faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignalAccount, type SignalParams, type SignalSent } from './signal-account.ts';
import { failureOf, type SignalFault, type SignalFaultList, signalFaultList } from './signal-faults.ts';
import type { SignalPerson, SignalSayOptions } from './signal-people.ts';
import { SignalStreams } from './signal-streams.ts';
import { waitFor } from './wait-for.ts';

export type { SignalSent } from './signal-account.ts';
export type { SignalPerson } from './signal-people.ts';

export interface SignalCall {
  readonly method: string;
  readonly params: SignalParams;
}

export interface SignalOptions {
  /** Of a daemon started with `-a`: it has no list of accounts. */
  readonly accounts?: 'one' | 'several';
  /** Older daemons number no events and keep none. */
  readonly events?: 'kept' | 'unnumbered';
}

export interface SignalDouble {
  readonly url: string;
  readonly account: Required<Pick<SignalPerson, 'uuid' | 'number'>>;
  /** Somebody writes. Returns the timestamp. */
  say(from: SignalPerson, text: string, options?: SignalSayOptions): number;
  /** The owner of the account writes on their phone; to themselves when nobody is named. */
  sayElsewhere(text: string, to?: SignalPerson, options?: SignalSayOptions): number;
  react(
    from: SignalPerson,
    messageId: string,
    reaction: { emoji: string; group?: string; isRemove?: boolean },
  ): void;
  /** Anything else that the daemon receives of somebody, such as a receipt. */
  receive(from: SignalPerson, content: SignalParams): void;
  /** Any data as an event, also broken. */
  push(data: unknown): void;
  repeatLast(): void;
  readonly sent: readonly SignalSent[];
  whenSent(holds: (message: SignalSent) => boolean, options?: { timeoutMs?: number }): Promise<SignalSent>;
  readonly calls: readonly SignalCall[];
  whenCalled(method: string, holds?: (params: SignalParams) => boolean): Promise<SignalCall>;
  /** How many streams are open now. */
  readonly listeners: number;
  whenListening(): Promise<void>;
  fault(method: string | readonly string[], fault: SignalFault, options?: { times?: number }): void;
  heal(): void;
  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Ends the streams; they may be opened again. */
  dropStreams(): void;
  /** The streams stay open and nothing comes any more, as over a half-open connection. New ones work. */
  freezeStreams(): void;
  /** The account is not there any more. */
  revoke(): void;
  /** Loses what it kept, and numbers anew. */
  restart(): void;
  /** Events after the one with this id; of all when it is unknown. */
  after(id: string | undefined): number;
  forgetFile(attachmentId: string): void;
  close(): Promise<void>;
}

const OWN = { number: '+4915100000001', uuid: '0f0f0f0f-0000-4000-8000-00000000000f' };

export async function startSignal(options: SignalOptions = {}): Promise<SignalDouble> {
  const account = new SignalAccount(OWN);
  const streams = new SignalStreams(account, options.events ?? 'kept');
  const faults = signalFaultList();
  const calls: SignalCall[] = [];
  const desk: Desk = {
    ...{ account, streams, faults, isGone: false, isSingle: options.accounts === 'one' },
    heard: call => {
      calls.push(call);
      for (const watcher of account.watchers) watcher();
    },
  };
  let isCut = false;
  const server = createServer((request, response) => {
    answer(desk, request, response).catch((error: unknown) => response.destroy(error as Error)); // only we throw there
  });
  server.on('connection', socket => {
    if (isCut) socket.destroy();
  });
  const url = await listen(server);
  const wait = <T>(look: () => T | undefined, missing: () => string, timeoutMs = 10_000): Promise<T> =>
    waitFor({ look, watchers: [account.watchers], timeoutMs, missing });
  return {
    ...{ url, account: OWN, calls, sent: account.sent },
    say: (from, text, say) => account.say(from, text, say),
    sayElsewhere: (text, to, say) => account.sayElsewhere(text, to, say),
    react: (from, messageId, reaction) => account.react(from, messageId, reaction),
    receive: (from, content) => account.receive(from, account.tick(), content),
    push: data => account.push(data),
    repeatLast: () => account.push(account.events.at(-1)?.data ?? ''),
    whenSent: (holds, { timeoutMs } = {}) =>
      wait(
        () => account.sent.find(holds),
        () => `no such message was sent; there are ${JSON.stringify(account.sent.map(({ text }) => text))}`,
        timeoutMs,
      ),
    whenCalled: (method, holds = () => true) =>
      wait(
        () => calls.find(call => call.method === method && holds(call.params)),
        () => `no such call of ${method}; there were ${calls.map(call => call.method).join(' ')}`,
      ),
    get listeners() {
      return streams.open;
    },
    whenListening: () =>
      wait(
        () => (streams.open > 0 ? true : undefined),
        () => 'nobody listens',
      ).then(() => {}),
    fault: (method, fault, { times = 1 } = {}) => faults.add([method].flat(), fault, times),
    heal: () => faults.clear(),
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    dropStreams: () => streams.drop(),
    freezeStreams: () => streams.freeze(),
    revoke() {
      desk.isGone = true;
      streams.drop();
    },
    restart() {
      account.events.length = 0;
      streams.renumber();
      streams.drop();
    },
    after: id => streams.after(id).length,
    forgetFile: id => account.forget(id),
    async close() {
      streams.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}`;
}

interface Desk {
  readonly account: SignalAccount;
  readonly streams: SignalStreams;
  readonly faults: SignalFaultList;
  readonly isSingle: boolean;
  isGone: boolean;
  readonly heard: (call: SignalCall) => void;
}

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = await readBody(request);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /api/v1/check':
      return void response.writeHead(200).end();
    case 'GET /api/v1/events':
      return openStream(desk, url, request, response);
    case 'POST /api/v1/rpc':
      if (!request.headers['content-type']?.startsWith('application/json'))
        return void response.writeHead(415).end();
      return answerCall(desk, body, response);
    default:
      return void response.writeHead(404).end();
  }
}

function openStream(desk: Desk, url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { account, streams, faults } = desk;
  if (applyHttpFault(faults.take('events'), response) !== 'none') return;
  const wanted = url.searchParams.get('account');
  const isOurs = wanted === account.person.number || wanted === account.person.uuid;
  if (!desk.isSingle && (desk.isGone || !isOurs)) return void response.writeHead(400).end();
  streams.add(response, request.headers['last-event-id']?.toString());
}

async function answerCall(desk: Desk, body: string, response: ServerResponse): Promise<void> {
  const { account, faults, heard } = desk;
  const { id, method, params } = JSON.parse(body) as { id: string; method: string; params: SignalParams }; // of our adapter
  heard({ method, params });
  const fault = faults.take(method);
  if (applyHttpFault(fault, response) !== 'none') return;
  const failure = fault === undefined ? undefined : failureOf(fault);
  const respond = (content: object): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', ...content, id }));
  if (failure) return respond({ error: failure });
  const { number, uuid } = account.person;
  if (method === 'listAccounts' && !desk.isSingle) {
    return respond({ result: desk.isGone ? [] : [{ number: '+4915100000099' }, { number, aci: uuid }] });
  }
  const isOurs = params['account'] === number || params['account'] === uuid;
  if (!desk.isSingle && (desk.isGone || !isOurs)) {
    return respond({ error: { code: -32602, message: 'Specified account does not exist', data: null } });
  }
  const outcome = account.call(method, params);
  if (fault === 'drop-after') return void response.destroy();
  respond('refusal' in outcome ? { error: { ...outcome.refusal, data: null } } : outcome);
}

/** `none`: it is no fault of the transport. */
function applyHttpFault(fault: SignalFault | undefined, response: ServerResponse): 'applied' | 'none' {
  if (fault === 'hang') return 'applied';
  if (fault === 'drop') response.destroy();
  else if (fault === 'bad-gateway') response.writeHead(502).end('<html>Bad Gateway</html>');
  else if (fault === 'nonsense') response.writeHead(200).end('<html>hello</html>');
  else if (typeof fault === 'object' && 'status' in fault) {
    const wait = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    response.writeHead(fault.status, wait).end();
  } else if (typeof fault === 'object' && 'redirectTo' in fault) {
    response.writeHead(302, { location: fault.redirectTo }).end();
  } else return 'none';
  return 'applied';
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
