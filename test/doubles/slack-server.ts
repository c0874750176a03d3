// A double of Slack on loopback: the Web API, Socket Mode and files, with the other side of the chat: people who write, press
// buttons and type commands, what they see, and faults that are injected per call. Its rules are those of the real one as far
// as our adapter meets them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/clock.ts';
import { DoubleServer, readBytes, sendBytes, sendJson, type WaitOptions } from './double-server.ts';
import { answerWithFault, type TransportFault } from './fault-script.ts';
import type { SlackSent } from './slack-content.ts';
import type { SlackFault } from './slack-faults.ts';
import {
  bustleEvents,
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

export interface SlackCall {
  readonly method: string;
  readonly params: Fields;
  readonly hasToken: boolean;
  /** Milliseconds by the double's clock. */
  readonly at: number;
}

export interface SaySlack {
  /** Absent = the private chat of the person. */
  readonly place?: SlackPlace;
  readonly file?: SlackFileGiven & { readonly url?: string };
  /** Fields of the event that are others. */
  readonly event?: Fields;
}

export class SlackDouble extends DoubleServer<SlackCall, SlackFault> {
  readonly botToken = 'xoxb-100000000001-200000000002-doubleOfABotTokenForTst';
  readonly appToken = 'xapp-1-A0HERMES1-300000000003-doubleofanapptokenfortests';
  readonly sockets: SlackSockets;
  readonly workspace: SlackWorkspace;
  /** What the bot token may do; undefined = no header says so. */
  scopes: readonly string[] | undefined = EVERY_SCOPE;
  #nextEvent = 1;
  #lastMessage: Fields = {};

  private constructor(clock: Clock | undefined) {
    super({
      nameOf: ({ method }) => method,
      serve: (request, response) => this.#answer(request, response),
      clock,
      onCut: () => this.sockets.drop(),
    });
    this.sockets = new SlackSockets(this.clock, () => this.changed());
    this.workspace = new SlackWorkspace(() => this.origin);
    this.workspace.watchers.add(() => this.changed());
    this.http.on('upgrade', (request, socket, head) => {
      const isKnown = request.url?.startsWith('/link/?ticket=');
      if (isKnown) this.sockets.accept(request, socket, head);
      else socket.destroy();
    });
  }

  static async start({ clock }: { readonly clock?: Clock } = {}): Promise<SlackDouble> {
    const slack = new SlackDouble(clock);
    await slack.listen();
    return slack;
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
  event(event: unknown, origin: 'others' | 'app' = 'others'): void {
    const id = `Ev${String(this.#nextEvent++).padStart(8, '0')}`;
    this.sockets.add('events_api', eventCallback(event, id), origin);
  }

  /** What an app sees of a channel besides what is said to it. */
  bustle(place: SlackPlace): void {
    for (const event of bustleEvents(place, () => this.workspace.nextTs())) this.event(event);
  }

  whenSent(holds: (message: SlackSent) => boolean, options: WaitOptions = {}): Promise<SlackSent> {
    return this.whenAmong(() => this.sent, holds, options);
  }

  override async close(): Promise<void> {
    this.sockets.close();
    await super.close();
  }

  #know({ id, name = `Person ${id}` }: SlackPerson): void {
    this.workspace.people.set(id, name);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURI(request.url ?? '').split('?')[0] ?? '';
    const [, api] = /^\/api\/([\w.]+)$/.exec(path) ?? [];
    const method = api ?? (path.startsWith('/upload/') ? 'upload' : 'file');
    const body = await readBytes(request);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const params = api === undefined ? { path } : readForm(body);
    this.record({ method, params, hasToken: token !== undefined, at: this.clock.monotonic() });
    const fault = await this.takeFault(method);
    if (answerWithFault(response, fault, path)) return;
    if (fault !== undefined && fault !== 'drop-after') return refuse(response, fault);
    if (method === 'upload') this.#upload(response, path, body);
    else if (method === 'file') this.#download(response, path, token);
    else {
      const outcome = this.#call(method, params, token);
      this.#echo(method, params, outcome);
      if (fault === 'drop-after') response.destroy();
      else
        sendJson(response, outcome, this.scopes && { headers: { 'x-oauth-scopes': this.scopes.join(',') } });
    }
  }

  #call(method: string, params: Fields, token: string | undefined): Fields {
    const isOpening = method === 'apps.connections.open';
    if (token !== (isOpening ? this.appToken : this.botToken)) return { ok: false, error: 'invalid_auth' };
    if (!isOpening) return this.workspace.call(method, params);
    return { ok: true, url: `ws${this.origin.slice(4)}/link/?ticket=secret-of-the-socket&app_id=1` };
  }

  /** An app that hears a channel also hears its own messages there. */
  #echo(method: string, { channel, text }: Fields, { ok, ts }: Fields): void {
    if (ok !== true || !['chat.postMessage', 'chat.update'].includes(method)) return;
    const { userId, botId } = this.workspace.bot;
    const said = { type: 'message', user: userId, bot_id: botId, channel, text, ts, event_ts: ts };
    const isNew = method === 'chat.postMessage';
    this.event(isNew ? said : editEvent(said, String(text), this.workspace.nextTs()), 'app');
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
    else sendBytes(response, bytes);
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

function refuse(response: ServerResponse, fault: Exclude<SlackFault, TransportFault>): void {
  if (fault === 'server-error') sendJson(response, { ok: false, error: 'internal' }, { status: 500 });
  else if ('retryAfterSeconds' in fault) {
    const headers = { 'retry-after': String(fault.retryAfterSeconds) };
    sendJson(response, { ok: false, error: 'ratelimited' }, { status: 429, headers });
  } else sendJson(response, { ok: false, ...fault });
}

/** Slack's client sends forms; what is no text stands there as JSON. */
function readForm(body: Buffer): Fields {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, ['blocks', 'files'].includes(name) ? JSON.parse(value) : value]),
  );
}
