// A double of Telegram's Bot API on loopback, with the other side of the chat: people who write and press buttons, what
// they see, and faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import {
  controlsOf,
  type DoubleControls,
  DoubleServer,
  readBytes,
  sendBytes,
  sendJson,
  type WaitOptions,
} from './double-server.ts';
import { answerWithFault } from './fault-script.ts';
import { readForm } from './multipart.ts';
import { TelegramBot } from './telegram-bot.ts';
import type { Params, Person, Place, SayOptions, SentMessage } from './telegram-chat.ts';
import { type Fault, type Refusal, refusalOf, UNAUTHORIZED } from './telegram-faults.ts';

export type { Person, SentMessage } from './telegram-chat.ts';

export interface Call {
  readonly method: string;
  readonly params: Params;
  /** Milliseconds by the double's clock. */
  readonly at: number;
}

export interface TelegramDouble extends DoubleControls<Call, Fault> {
  readonly apiRoot: string;
  readonly token: string;
  readonly bot: { readonly id: number; readonly username: string };
  /** Somebody writes to the bot. Returns the id of the message. */
  say(from: Person | number, text: string, options?: SayOptions): number;
  /** Somebody presses a button on a message of the bot. Returns the id of the press. */
  press(from: Person | number, messageId: string, data: string): string;
  /** Any update as it is, also a broken one; with an id of its own it may be a repeat. */
  push(update: unknown): void;
  /** What a bot sees of a chat besides what is said to it: joins, other bots, its own messages, reactions. */
  bustle(place: Place): void;
  /** The group gets a new id. */
  migrate(from: number, to: number): void;
  /** The last update once more, under a new id. */
  repeatLast(): void;
  /** What the bot has sent, in order, as people see it now. */
  readonly sent: readonly SentMessage[];
  /** The first message for which it holds, now or later, edits included. */
  whenSent(holds: (message: SentMessage) => boolean, options?: WaitOptions): Promise<SentMessage>;
  /** Updates that nobody has acknowledged. */
  readonly unacknowledged: number;
}

const LARGEST_BODY = 60 * 1024 * 1024;

export interface TelegramOptions {
  readonly token?: string;
  readonly username?: string;
  /** Limits and expiry go by it; absent = the system's. */
  readonly clock?: Clock;
}

export async function startTelegram(options: TelegramOptions = {}): Promise<TelegramDouble> {
  const token = options.token ?? '700001:AAdouble-of-a-token_for-tests-000000';
  const bot = new TelegramBot(
    { id: 700001, username: options.username ?? 'hermes_test_bot' },
    options.clock ?? systemClock,
  );
  const server: DoubleServer<Call, Fault> = new DoubleServer({
    nameOf: ({ method }) => method,
    serve: (request, response) => answer({ token, bot, server }, request, response),
    clock: options.clock,
    onCut: () => bot.release(),
  });
  bot.watchers.add(() => server.changed());
  await server.listen();
  return {
    ...controlsOf(server),
    ...{ apiRoot: server.origin, token, bot: bot.account },
    say: (from, text, say) => bot.say(personOf(from), text, say),
    press: (from, messageId, data) => bot.press(personOf(from), messageId, data),
    push: update => bot.push(update),
    bustle: place => bot.bustle(place),
    migrate: (from, to) => bot.migrate(from, to),
    repeatLast: () => bot.repeatLast(),
    get sent() {
      return bot.sent;
    },
    whenSent: (holds, wait) => server.whenAmong(() => bot.sent, holds, wait),
    get unacknowledged() {
      return bot.unacknowledged;
    },
  };
}

interface Desk {
  readonly token: string;
  readonly bot: TelegramBot;
  readonly server: DoubleServer<Call, Fault>;
}

/** Answers one request, or does what its fault says. */
async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { token, bot, server } = desk;
  const path = decodeURIComponent(request.url ?? '').split('?')[0] ?? '';
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
  const [, given = file?.[1], method = 'file'] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
  const params = { ...(await readParams(request)), ...(file ? { path: file[2] } : {}) };
  server.record({ method, params, at: server.clock.monotonic() });
  if (given !== token) return refuse(response, UNAUTHORIZED);
  const fault = await server.takeFault(method);
  if (answerWithFault(response, fault, path)) return;
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal) return refuse(response, refusal);
  if (file) return sendFile(response, bot.file(file[2] ?? ''));
  const outcome = await bot.call(method, params);
  if (fault === 'drop-after') return void response.destroy();
  if ('refusal' in outcome) return refuse(response, outcome.refusal);
  sendJson(response, { ok: true, result: outcome.result });
}

function personOf(from: Person | number): Person {
  return typeof from === 'number' ? { id: from } : from;
}

async function readParams(request: IncomingMessage): Promise<Params> {
  const body = await readBytes(request, LARGEST_BODY);
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
  const body = { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) };
  sendJson(response, body, { status });
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) refuse(response, { status: 404, description: 'Not Found' });
  else sendBytes(response, bytes);
}
