// A double of Discord on loopback: the REST API of version 10, its gateway over WebSocket and its store of files, with the other
// side of the chat: people who write, press and type commands, what they see, and faults. Its rules are those of the real one
// as far as our adapter meets them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/clock.ts';
import { type Call, DiscordApi } from './discord-api.ts';
import { type Fault, isRoute, type Refusal, refusalOf, UNAUTHORIZED } from './discord-faults.ts';
import { DiscordGateway } from './discord-gateway.ts';
import { DiscordInteractions } from './discord-interactions.ts';
import { DiscordLimits, type LimitRules, type LimitScope, limitAnswer } from './discord-limits.ts';
import { type DiscordPeople, peopleOf } from './discord-people.ts';
import { DiscordWorld, type Json, type SentMessage } from './discord-world.ts';
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
import { type FormFile, readForm } from './multipart.ts';

/** Calls are named by route, such as `POST /channels/*\/messages`. */
export interface DiscordDouble extends DiscordPeople, DoubleControls<Call, Fault> {
  readonly apiRoot: string;
  readonly token: string;
  readonly bot: { readonly id: string; readonly username: string };
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly api: DiscordApi;
  /** What the bot has sent, in order, as people see it now. */
  readonly sent: readonly SentMessage[];
  whenSent(holds: (message: SentMessage) => boolean, options?: WaitOptions): Promise<SentMessage>;
  revoke(): void;
}

export interface DiscordDoubleOptions {
  readonly contentIntent?: 'on' | 'off';
  /** What the application says of itself; absent = as the intent is. */
  readonly flags?: number;
  readonly heartbeatMs?: number;
  /** Absent = limits are announced in headers and never reached. */
  readonly limits?: LimitRules['mode'];
  /** Limits and expiry go by it; absent = the system's. */
  readonly clock?: Clock;
}

const LARGEST_BODY = 20 * 1024 * 1024;
const READS_MESSAGES = 1 << 19;

export async function startDiscord(options: DiscordDoubleOptions = {}): Promise<DiscordDouble> {
  const { contentIntent = 'on', heartbeatMs = 41_250 } = options;
  const token = 'NzAwMDAwMDAw.GdOubl.AAdouble-of-a-token_for-tests-000000';
  const bot = { id: '700000000000000001', username: 'hermes-test' };
  let isRevoked = false;
  const server: DoubleServer<Call, Fault> = new DoubleServer({
    nameOf: ({ method, path }) => `${method} ${path}`,
    isNamed: isRoute,
    serve: async (request, response) => {
      const call = await readCall(request, token, server.clock);
      server.record(call);
      if (isRevoked || !call.isAuthorized) return refuse(response, UNAUTHORIZED);
      await answer({ call, response, server, world, api, limits });
    },
    clock: options.clock,
    onCut: () => gateway.terminate(),
  });
  const world = new DiscordWorld(bot, () => server.origin);
  const gateway = new DiscordGateway(server.http, world, { token, contentIntent, heartbeatMs });
  const interactions = new DiscordInteractions(server.clock);
  const limits = new DiscordLimits({ mode: options.limits ?? 'announced', clock: server.clock });
  const flags = options.flags ?? (contentIntent === 'on' ? READS_MESSAGES : 0);
  const api = new DiscordApi({ world, gateway, interactions, flags, changed: () => server.changed() });
  await server.listen();
  return {
    ...controlsOf(server),
    apiRoot: `${server.origin}/api`,
    ...{ token, bot, world, gateway, api },
    ...peopleOf({ world, gateway, interactions }),
    get sent() {
      return [...world.sent.values()];
    },
    whenSent: (holds, wait) => server.whenAmong(() => [...world.sent.values()], holds, wait),
    revoke() {
      isRevoked = true;
      gateway.revoke();
    },
  };
}

interface Answering {
  readonly call: Call;
  readonly response: ServerResponse;
  readonly server: DoubleServer<Call, Fault>;
  readonly world: DiscordWorld;
  readonly api: DiscordApi;
  readonly limits: DiscordLimits;
}

/** Answers one request, or does what its fault says. */
async function answer({ call, response, server, world, api, limits }: Answering): Promise<void> {
  const fault = await server.takeFault(`${call.method} ${call.path}`);
  if (answerWithFault(response, fault, '')) return;
  if (typeof fault === 'object' && 'retryAfterSeconds' in fault)
    return limit(response, fault.retryAfterSeconds, fault.scope);
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal) return refuse(response, refusal);
  const file = /^\/attachments\/(\d+)$/.exec(call.path)?.[1];
  if (file !== undefined) return sendFile(response, world.files.get(file));
  const limited = limits.take(call.method, call.path);
  if (limited && limited.waitMs > 0) return limit(response, limited.waitMs / 1000, 'user', limited.headers);
  const outcome = api.call(call);
  if (fault === 'drop-after') return void response.destroy();
  if ('refusal' in outcome) return refuse(response, outcome.refusal);
  const headers = { ...limited?.headers };
  if (outcome.result === undefined) response.writeHead(204, headers).end();
  else sendJson(response, outcome.result, { headers });
}

async function readCall(request: IncomingMessage, token: string, clock: Clock): Promise<Call> {
  const bytes = await readBytes(request, LARGEST_BODY);
  const url = new URL(request.url ?? '', 'http://localhost');
  const path = decodeURIComponent(url.pathname).replace(/^\/api\/v10/, '');
  const isOpen = /^\/(?:interactions|webhooks|attachments)\//.test(path);
  return {
    ...{ method: request.method ?? 'GET', path, query: url.searchParams, at: clock.monotonic() },
    ...readBody(bytes, request.headers['content-type'] ?? ''),
    isAuthorized: isOpen || request.headers.authorization === `Bot ${token}`,
  };
}

function readBody(bytes: Buffer, type: string): { body: Json; file?: FormFile } {
  if (type.startsWith('multipart/')) {
    const { fields, files } = readForm(bytes, type);
    const [file] = Object.values(files);
    return { body: JSON.parse(fields['payload_json'] ?? '{}') as Json, ...(file ? { file } : {}) }; // of our own adapter
  }
  return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as Json) }; // as above
}

function limit(
  response: ServerResponse,
  seconds: number,
  scope: LimitScope = 'shared',
  known: Readonly<Record<string, string>> = {},
): void {
  const { headers, body } = limitAnswer(seconds, scope);
  sendJson(response, body, { status: 429, headers: { ...known, ...headers } });
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  sendJson(response, { code, message }, { status });
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) refuse(response, { status: 404, code: 0, message: 'Not Found' });
  else sendBytes(response, bytes);
}
