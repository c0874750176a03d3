// A double of Telegram's Bot API on loopback, with the other side of the chat: people who write and press buttons, what
// they see, and faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readForm } from './multipart.ts';
import { TelegramBot } from './telegram-bot.ts';
import type { Params, Person, SayOptions, SentMessage } from './telegram-chat.ts';
import {
  type Fault,
  type FaultList,
  faultList,
  type Refusal,
  refusalOf,
  UNAUTHORIZED,
} from './telegram-faults.ts';
import { waitFor } from './wait-for.ts';

export type { Person, SentMessage } from './telegram-chat.ts';

export interface Call {
  readonly method: string;
  readonly params: Params;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

export interface TelegramDouble {
  readonly apiRoot: string;
  readonly token: string;
  readonly bot: { readonly id: number; readonly username: string };
  /** Somebody writes to the bot. Returns the id of the message. */
  say(from: Person | number, text: string, options?: SayOptions): number;
  /** Somebody presses a button on a message of the bot. Returns the id of the press. */
  press(from: Person | number, messageId: string, data: string): string;
  /** Any update as it is, also a broken one; with an id of its own it may be a repeat. */
  push(update: unknown): void;
  /** The last update once more, under a new id. */
  repeatLast(): void;
  /** What the bot has sent, in order, as people see it now. */
  readonly sent: readonly SentMessage[];
  /** The first message for which it holds, now or later, edits included. */
  whenSent(holds: (message: SentMessage) => boolean, options?: { timeoutMs?: number }): Promise<SentMessage>;
  /** Every call that arrived, refused ones too. */
  readonly calls: readonly Call[];
  whenCalled(
    method: string,
    holds?: (params: Params) => boolean,
    options?: { timeoutMs?: number },
  ): Promise<Call>;
  /** The next calls of the method, or of one of them, go wrong; `*` = of any. Several are used up in order. */
  fault(method: string | readonly string[], fault: Fault, options?: { times?: number }): void;
  /** Takes back the faults that are left. */
  heal(): void;
  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Updates that nobody has acknowledged. */
  readonly unacknowledged: number;
  close(): Promise<void>;
}

const LARGEST_BODY = 60 * 1024 * 1024;

export async function startTelegram(
  options: { token?: string; username?: string } = {},
): Promise<TelegramDouble> {
  const token = options.token ?? '700001:AAdouble-of-a-token_for-tests-000000';
  const bot = new TelegramBot({ id: 700001, username: options.username ?? 'hermes_test_bot' });
  const faults = faultList();
  const calls: Call[] = [];
  const callWatchers = new Set<() => void>();
  let isCut = false;

  const answer = answerer({
    token,
    bot,
    faults,
    heard(method, params) {
      calls.push({ method, params, at: performance.now() });
      for (const watcher of callWatchers) watcher();
    },
  });
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error)); // only we throw there
  });
  server.on('connection', socket => {
    if (isCut) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    apiRoot: `http://127.0.0.1:${port}`,
    token,
    bot: bot.account,
    say: (from, text, say) => bot.say(personOf(from), text, say),
    press: (from, messageId, data) => bot.press(personOf(from), messageId, data),
    push: update => bot.push(update),
    repeatLast: () => bot.repeatLast(),
    get sent() {
      return bot.sent;
    },
    whenSent: (holds, { timeoutMs } = {}) =>
      waitFor({
        look: () => bot.sent.find(holds),
        watchers: [bot.watchers],
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        missing: () =>
          `no such message was sent; there are ${JSON.stringify(bot.sent.map(each => each.text))}`,
      }),
    calls,
    whenCalled: (method, holds = () => true, { timeoutMs } = {}) =>
      waitFor({
        look: () => calls.find(call => call.method === method && holds(call.params)),
        watchers: [callWatchers],
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        missing: () => `no such call of ${method}; there were ${calls.map(call => call.method).join(' ')}`,
      }),
    fault: (method, fault, { times = 1 } = {}) => faults.add([method].flat(), fault, times),
    heal: () => faults.clear(),
    cut() {
      isCut = true;
      bot.release();
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    get unacknowledged() {
      return bot.unacknowledged;
    },
    async close() {
      bot.release();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Desk {
  readonly token: string;
  readonly bot: TelegramBot;
  readonly faults: FaultList;
  readonly heard: (method: string, params: Params) => void;
}

/** Answers one request, or does what its fault says. */
function answerer({ token, bot, faults, heard }: Desk) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(request.url ?? '').split('?')[0] ?? '';
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
    const [, given = file?.[1], method = 'file'] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const params = { ...(await readParams(request)), ...(file ? { path: file[2] } : {}) };
    heard(method, params);
    if (given !== token) return refuse(response, UNAUTHORIZED);
    const fault = faults.take(method);
    if (fault === 'hang') return;
    if (fault === 'drop') return void response.destroy();
    if (fault === 'bad-gateway') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (typeof fault === 'object' && 'redirectTo' in fault) {
      return void response.writeHead(302, { location: fault.redirectTo + path }).end();
    }
    const refusal = fault === undefined ? undefined : refusalOf(fault);
    if (refusal) return refuse(response, refusal);
    if (file) return sendFile(response, bot.file(file[2] ?? ''));
    const outcome = await bot.call(method, params);
    if (fault === 'drop-after') return void response.destroy();
    if ('refusal' in outcome) return refuse(response, outcome.refusal);
    sendJson(response, 200, { ok: true, result: outcome.result });
  };
}

function personOf(from: Person | number): Person {
  return typeof from === 'number' ? { id: from } : from;
}

async function readParams(request: IncomingMessage): Promise<Params> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    const { fields, files } = readForm(body, type);
    const attached = Object.entries(fields).map(([name, value]) => {
      const part = value.startsWith('attach://') ? files[value.slice('attach://'.length)] : undefined;
      return [name, part ?? value] as const;
    });
    return Object.fromEntries(attached);
  }
  return body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Params); // of our own adapter
}

function refuse(response: ServerResponse, { status, description, parameters }: Refusal): void {
  sendJson(response, status, {
    ok: false,
    error_code: status,
    description,
    ...(parameters ? { parameters } : {}),
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) refuse(response, { status: 404, description: 'Not Found' });
  else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
}
