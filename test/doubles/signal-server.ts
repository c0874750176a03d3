// A double of a signal-cli daemon on loopback: JSON-RPC in, server-sent events out, with the people on the other side, and
// faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/clock.ts';
import {
  controlsOf,
  type DoubleControls,
  DoubleServer,
  readBytes,
  sendJson,
  type WaitOptions,
} from './double-server.ts';
import { answerWithFault } from './fault-script.ts';
import { SignalAccount, type SignalParams, type SignalSent } from './signal-account.ts';
import { failureOf, type SignalFault } from './signal-faults.ts';
import type { SignalPerson, SignalSayOptions } from './signal-people.ts';
import { SignalStreams } from './signal-streams.ts';

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
  /** Absent = the oldest one that Hermes supports. */
  readonly version?: string;
  /** The host of `daemon --http HOST:PORT`, which requests must name; absent = 127.0.0.1. */
  readonly host?: string;
  /** Limits and expiry go by it; absent = the system's. */
  readonly clock?: Clock;
}

export interface SignalDouble extends DoubleControls<SignalCall, SignalFault> {
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
  /** Everything else that an account normally receives: group changes, timers, deletions, stories, calls, syncs. */
  background(from: SignalPerson, group: string): void;
  repeatLast(): void;
  readonly sent: readonly SignalSent[];
  whenSent(holds: (message: SignalSent) => boolean, options?: WaitOptions): Promise<SignalSent>;
  /** How many streams are open now. */
  readonly listeners: number;
  whenListening(): Promise<void>;
  /** Ends the streams; they may be opened again. */
  dropStreams(): void;
  /** The streams stay open and nothing comes any more, as over a half-open connection. New ones work. */
  freezeStreams(): void;
  /** The account is not there any more. */
  revoke(): void;
  /** Loses what it kept, and numbers anew. */
  restart(): void;
  /** How much was said after the event with this id; all of it when it is unknown. */
  after(id: string | undefined): number;
  forgetFile(attachmentId: string): void;
}

const OWN = { number: '+4915100000001', uuid: '0f0f0f0f-0000-4000-8000-00000000000f' };

export async function startSignal(options: SignalOptions = {}): Promise<SignalDouble> {
  const account: SignalAccount = new SignalAccount(OWN, () => server.clock.now());
  const streams = new SignalStreams(account, options.events ?? 'kept');
  const server: DoubleServer<SignalCall, SignalFault> = new DoubleServer({
    nameOf: ({ method }) => method,
    serve: (request, response) => answer(desk, request, response),
    clock: options.clock,
  });
  const { version = '0.14.9', host = '127.0.0.1' } = options;
  const isSingle = options.accounts === 'one';
  const desk: Desk = { account, streams, server, isGone: false, isSingle, version, host };
  account.watchers.add(() => server.changed());
  await server.listen();
  return {
    ...controlsOf(server),
    ...{ url: server.origin, account: OWN, sent: account.sent },
    say: (from, text, say) => account.say(from, text, say),
    sayElsewhere: (text, to, say) => account.sayElsewhere(text, to, say),
    react: (from, messageId, reaction) => account.react(from, messageId, reaction),
    receive: (from, content) => account.receive(from, account.tick(), content),
    push: data => account.push(data),
    background: (from, group) => account.background(from, group),
    repeatLast: () => account.push(account.events.findLast(({ kind }) => kind === 'message')?.data ?? ''),
    whenSent: (holds, wait) => server.whenAmong(() => account.sent, holds, wait),
    get listeners() {
      return streams.open;
    },
    async whenListening() {
      await server.when(() => streams.open > 0 || undefined, {
        missing: () => 'no stream of events is open',
      });
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
    after: id => streams.after(id).filter(({ kind }) => kind === 'message').length,
    forgetFile: id => account.forget(id),
    async close() {
      streams.close();
      await server.close();
    },
  };
}

interface Desk {
  readonly account: SignalAccount;
  readonly streams: SignalStreams;
  readonly server: DoubleServer<SignalCall, SignalFault>;
  readonly isSingle: boolean;
  readonly version: string;
  readonly host: string;
  isGone: boolean;
}

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = (await readBytes(request)).toString('utf8');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /api/v1/check':
      return void response.writeHead(200).end();
    case 'GET /api/v1/events':
      if (!isHostAllowed(desk, request)) return void response.writeHead(421).end();
      return openStream(desk, url, request, response);
    case 'POST /api/v1/rpc':
      if (!isHostAllowed(desk, request)) return void response.writeHead(421).end();
      if (!request.headers['content-type']?.startsWith('application/json'))
        return void response.writeHead(415).end();
      return answerCall(desk, body, response);
    default:
      return void response.writeHead(404).end();
  }
}

/**
 * As `isHostAllowed` of signal-cli's HttpServerHandler since 0.14.4: the names are those of `--http` and of this machine, with the
 * daemon's own port or without one. A daemon on 0.0.0.0 checks nothing, and `/api/v1/check` never does.
 */
function isHostAllowed({ host, server }: Desk, { headers }: IncomingMessage): boolean {
  if (host === '0.0.0.0' || host === '::') return true;
  const named = URL.parse(`http://${headers.host}`);
  const hostname = named?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isOwnPort = !named?.port || named.port === new URL(server.origin).port;
  return [host, 'localhost', '127.0.0.1', '::1'].includes(hostname) && isOwnPort;
}

async function openStream(
  desk: Desk,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { account, streams, server } = desk;
  if (answerWithHttpFault(response, await server.takeFault('events'))) return;
  const wanted = url.searchParams.get('account');
  const isOurs = wanted === account.person.number || wanted === account.person.uuid;
  if (!desk.isSingle && (desk.isGone || !isOurs)) return void response.writeHead(400).end();
  streams.add(response, request.headers['last-event-id']?.toString());
}

async function answerCall(desk: Desk, body: string, response: ServerResponse): Promise<void> {
  const { account, server } = desk;
  const { id, method, params } = JSON.parse(body) as { id: string; method: string; params: SignalParams }; // of our adapter
  server.record({ method, params });
  const fault = await server.takeFault(method);
  if (answerWithHttpFault(response, fault)) return;
  const failure = fault === undefined ? undefined : failureOf(fault);
  const respond = (content: object): void => sendJson(response, { jsonrpc: '2.0', ...content, id });
  if (failure) return respond({ error: failure });
  const { number, uuid } = account.person;
  if (method === 'listAccounts' && !desk.isSingle) {
    return respond({ result: desk.isGone ? [] : [{ number: '+4915100000099' }, { number, aci: uuid }] });
  }
  const isOurs = params['account'] === number || params['account'] === uuid;
  if (!desk.isSingle && (desk.isGone || !isOurs)) {
    return respond({ error: { code: -32602, message: 'Specified account does not exist', data: null } });
  }
  if (method === 'version') return respond({ result: { version: desk.version } });
  const outcome = account.call(method, params);
  if (fault === 'drop-after') return void response.destroy();
  respond('refusal' in outcome ? { error: { ...outcome.refusal, data: null } } : outcome);
}

/** `false`: it is no fault of HTTP. */
function answerWithHttpFault(response: ServerResponse, fault: SignalFault | undefined): boolean {
  if (answerWithFault(response, fault, '')) return true;
  if (fault === 'nonsense') response.writeHead(200).end('<html>hello</html>');
  else if (typeof fault === 'object' && 'status' in fault) {
    const wait = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    response.writeHead(fault.status, wait).end();
  } else return false;
  return true;
}
