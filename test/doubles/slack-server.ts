// A double of Slack on loopback: the Web API, Socket Mode and files, with the other side of the chat: people who write, press
// buttons and type commands, what they see, and faults that are injected per call. Its rules are those of the real one as far
// as our adapter meets them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SlackSent } from './slack-content.ts';
import { type SlackFault, type SlackFaults, slackFaults } from './slack-faults.ts';
import {
  directOf,
  editEvent,
  eventCallback,
  type Fields,
  mentionEvent,
  messageEvent,
  pressPayload,
  type SlackFileGiven,
  type SlackPerson,
  type SlackPlace,
  slashPayload,
} from './slack-payloads.ts';
import { SlackSockets } from './slack-sockets.ts';
import { SlackWorkspace } from './slack-workspace.ts';
import { waitFor } from './wait-for.ts';

export interface SlackCall {
  readonly method: string;
  readonly params: Fields;
  readonly hasToken: boolean;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

export interface SaySlack {
  /** Absent = the private chat of the person. */
  readonly place?: SlackPlace;
  readonly file?: SlackFileGiven & { readonly url?: string };
  /** Fields of the event that are others. */
  readonly event?: Fields;
}

export class SlackDouble {
  readonly botToken = 'xoxb-100000000001-200000000002-doubleOfABotTokenForTst';
  readonly appToken = 'xapp-1-A0HERMES1-300000000003-doubleofanapptokenfortests';
  readonly sockets = new SlackSockets();
  readonly calls: SlackCall[] = [];
  readonly workspace: SlackWorkspace;
  /** What the bot token may do; undefined = no header says so. */
  scopes: readonly string[] | undefined = EVERY_SCOPE;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error)); // only we throw there
  });
  readonly #faults: SlackFaults = slackFaults();
  readonly #callWatchers = new Set<() => void>();
  #isCut = false;
  #nextEvent = 1;
  #lastMessage: Fields = {};

  private constructor() {
    this.workspace = new SlackWorkspace(() => this.origin);
  }

  static async start(): Promise<SlackDouble> {
    const slack = new SlackDouble();
    const server = slack.#server;
    server.on('connection', socket => {
      if (slack.#isCut) socket.destroy();
    });
    server.on('upgrade', (request, socket, head) => {
      const isKnown = request.url?.startsWith('/link/?ticket=');
      if (isKnown) slack.sockets.accept(request, socket, head);
      else socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return slack;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on TCP
  }

  get apiRoot(): string {
    return `${this.origin}/api`;
  }

  get sent(): readonly SlackSent[] {
    return this.workspace.sent;
  }

  /** Somebody writes. Returns the stamp of the message. In channels a mention comes as two events. */
  say(from: SlackPerson, text: string, { place = directOf(from), file, event }: SaySlack = {}): string {
    this.#know(from);
    const ts = this.workspace.nextTs();
    const files = file ? [this.workspace.addFile(file.name, file.bytes, file.url)] : [];
    const message = { ...messageEvent(from, place, { ts, text, files }), ...event };
    this.#lastMessage = message;
    if (place.kind !== 'im' && text.includes(`<@${this.workspace.bot.userId}>`))
      this.event(mentionEvent(message));
    this.event(message);
    return ts;
  }

  editLast(text: string): void {
    this.event(editEvent(this.#lastMessage, text, this.workspace.nextTs()));
  }

  slash(from: SlackPerson, text: string, place: SlackPlace = directOf(from)): void {
    this.#know(from);
    const trigger = `13345224609.738474920.${this.#nextEvent++}`;
    this.sockets.add('slash_commands', slashPayload(from, place, { text, trigger }));
  }

  press(from: SlackPerson, messageId: string, data: string): void {
    this.#know(from);
    const message = this.sent.find(({ id }) => id === messageId);
    const button = message?.buttons.find(each => each.data === data);
    if (!message || !button) throw new Error(`there is no button ${data} on ${messageId}`);
    const { channel, thread } = message;
    const [actionTs, { botId }] = [this.workspace.nextTs(), this.workspace.bot];
    const given = { channel, ts: messageId, thread, action: button.action, actionTs, botId };
    this.sockets.add('interactive', pressPayload(from, given));
  }

  /** Any event, in the envelope of the Events API. */
  event(event: unknown): void {
    this.sockets.add('events_api', eventCallback(event, `Ev${String(this.#nextEvent++).padStart(8, '0')}`));
  }

  whenSent(holds: (message: SlackSent) => boolean, options: { timeoutMs?: number } = {}): Promise<SlackSent> {
    return this.when(() => this.sent.find(holds), {
      ...options,
      missing: () =>
        `no such message was sent; there are ${JSON.stringify(this.sent.map(({ text }) => text))}`,
    });
  }

  whenCalled(method: string, holds: (params: Fields) => boolean = () => true): Promise<SlackCall> {
    return this.when(() => this.calls.find(call => call.method === method && holds(call.params)), {
      missing: () => `no such call of ${method}; there were ${this.calls.map(call => call.method).join(' ')}`,
    });
  }

  /** Looks again whenever something was called or is to be seen. */
  when<T>(
    look: () => T | undefined,
    {
      timeoutMs = 10_000,
      missing = () => 'it did not happen',
    }: { timeoutMs?: number; missing?: () => string } = {},
  ): Promise<T> {
    const watchers = [this.#callWatchers, this.workspace.watchers];
    return waitFor({ look, watchers, timeoutMs, missing });
  }

  /** The next calls of the method, or of one of them, go wrong; `*` = of any. Several are used up in order. */
  fault(method: string | readonly string[], fault: SlackFault, { times = 1 } = {}): void {
    this.#faults.add([method].flat(), fault, times);
  }

  heal(): void {
    this.#faults.clear();
  }

  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    this.sockets.drop();
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.sockets.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #know({ id, name = `Person ${id}` }: SlackPerson): void {
    this.workspace.people.set(id, name);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURI(request.url ?? '').split('?')[0] ?? '';
    const [, api] = /^\/api\/([\w.]+)$/.exec(path) ?? [];
    const method = api ?? (path.startsWith('/upload/') ? 'upload' : 'file');
    const body = await bodyOf(request);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const params = api === undefined ? { path } : readForm(body);
    this.calls.push({ method, params, hasToken: token !== undefined, at: performance.now() });
    for (const watcher of this.#callWatchers) watcher();
    const fault = this.#faults.take(method);
    if (fault !== undefined && fault !== 'drop-after') return wrong(response, fault, path);
    if (method === 'upload') this.#upload(response, path, body);
    else if (method === 'file') this.#download(response, path, token);
    else {
      const outcome = this.#call(method, params, token);
      if (fault === 'drop-after') response.destroy();
      else sendJson(response, outcome, this.scopes && { 'x-oauth-scopes': this.scopes.join(',') });
    }
  }

  #call(method: string, params: Fields, token: string | undefined): Fields {
    const isOpening = method === 'apps.connections.open';
    if (token !== (isOpening ? this.appToken : this.botToken)) return { ok: false, error: 'invalid_auth' };
    if (!isOpening) return this.workspace.call(method, params);
    return { ok: true, url: `ws${this.origin.slice(4)}/link/?ticket=secret-of-the-socket&app_id=1` };
  }

  #upload(response: ServerResponse, path: string, body: Buffer): void {
    const isTaken = this.workspace.take(path, Uint8Array.from(body));
    response.writeHead(isTaken ? 200 : 404).end(isTaken ? `OK - ${body.length}` : 'no');
  }

  /** Who has no token is sent to a page to log in. */
  #download(response: ServerResponse, path: string, token: string | undefined): void {
    if (token !== this.botToken) {
      response.writeHead(302, { location: `${this.origin}/login` }).end();
      return;
    }
    const bytes = this.workspace.fileAt(path);
    if (bytes === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  }
}

const EVERY_SCOPE: readonly string[] = [
  ...['app_mentions:read', 'assistant:write', 'channels:history', 'chat:write', 'commands', 'files:read'],
  ...[
    'files:write',
    'groups:history',
    'im:history',
    'im:write',
    'mpim:history',
    'reactions:write',
    'users:read',
  ],
];

function wrong(response: ServerResponse, fault: Exclude<SlackFault, 'drop-after'>, path: string): void {
  if (fault === 'hang') return;
  if (fault === 'drop') response.destroy();
  else if (fault === 'server-error') response.writeHead(500).end('{"ok":false,"error":"internal"}');
  else if (fault === 'bad-gateway') response.writeHead(502).end('<html>Bad Gateway</html>');
  else if (fault === 'page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
  else if ('redirectTo' in fault) response.writeHead(302, { location: fault.redirectTo + path }).end();
  else if ('retryAfterSeconds' in fault) {
    response.writeHead(429, { 'retry-after': String(fault.retryAfterSeconds) });
    response.end('{"ok":false,"error":"ratelimited"}');
  } else sendJson(response, { ok: false, ...fault });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Slack's client sends forms; what is no text stands there as JSON. */
function readForm(body: Buffer): Fields {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, ['blocks', 'files'].includes(name) ? JSON.parse(value) : value]),
  );
}

function sendJson(
  response: ServerResponse,
  body: Fields,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
