// A double of Discord on loopback: the REST API of version 10, its gateway over WebSocket and its store of files, with the other
// side of the chat: people who write, press and type commands, what they see, and faults. Its rules are those of the real one
// as far as our adapter meets them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Call, DiscordApi } from './discord-api.ts';
import {
  type Fault,
  type FaultList,
  faultList,
  isRoute,
  type Refusal,
  refusalOf,
  UNAUTHORIZED,
} from './discord-faults.ts';
import { DiscordGateway } from './discord-gateway.ts';
import { type DiscordPeople, peopleOf } from './discord-people.ts';
import { DiscordWorld, type Json, type SentMessage } from './discord-world.ts';
import { type FormFile, readForm } from './multipart.ts';
import { waitFor } from './wait-for.ts';

export interface DiscordDouble extends DiscordPeople {
  readonly apiRoot: string;
  readonly token: string;
  readonly bot: { readonly id: string; readonly username: string };
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly api: DiscordApi;
  /** What the bot has sent, in order, as people see it now. */
  readonly sent: readonly SentMessage[];
  whenSent(holds: (message: SentMessage) => boolean, options?: { timeoutMs?: number }): Promise<SentMessage>;
  /** Every call that arrived, refused ones too. */
  readonly calls: readonly Call[];
  /** `route`: such as `POST /channels/*\/messages`. */
  whenCalled(route: string, holds?: (call: Call) => boolean, options?: { timeoutMs?: number }): Promise<Call>;
  /** The next calls of the route, or of one of them, go wrong. Several are used up in order. */
  fault(route: string | readonly string[], fault: Fault, options?: { times?: number }): void;
  heal(): void;
  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  revoke(): void;
  close(): Promise<void>;
}

export interface DiscordDoubleOptions {
  readonly contentIntent?: 'on' | 'off';
  /** What the application says of itself; absent = as the intent is. */
  readonly flags?: number;
  readonly heartbeatMs?: number;
}

const LARGEST_BODY = 20 * 1024 * 1024;
const READS_MESSAGES = 1 << 19;

export async function startDiscord(options: DiscordDoubleOptions = {}): Promise<DiscordDouble> {
  const { contentIntent = 'on', heartbeatMs = 41_250 } = options;
  const token = 'NzAwMDAwMDAw.GdOubl.AAdouble-of-a-token_for-tests-000000';
  const bot = { id: '700000000000000001', username: 'hermes-test' };
  const faults = faultList();
  const calls: Call[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  let port = 0;
  let isCut = false;
  let isRevoked = false;
  const world = new DiscordWorld(bot, () => `http://127.0.0.1:${port}`);
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error)); // only we throw there
  });
  const gateway = new DiscordGateway(server, world, { token, contentIntent, heartbeatMs });
  const flags = options.flags ?? (contentIntent === 'on' ? READS_MESSAGES : 0);
  const api = new DiscordApi({ world, gateway, flags, changed });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request, token);
    calls.push(call);
    changed();
    if (isRevoked || !call.isAuthorized) return refuse(response, UNAUTHORIZED);
    await answer({ call, response, faults, world, api });
  };
  server.on('connection', socket => {
    if (isCut) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // it listens on TCP
  const wait = <T>(look: () => T | undefined, missing: () => string, timeoutMs = 10_000): Promise<T> =>
    waitFor({ look, watchers: [watchers], timeoutMs, missing });
  return {
    apiRoot: `http://127.0.0.1:${port}/api`,
    ...{ token, bot, world, gateway, api, calls },
    ...peopleOf(world, gateway),
    get sent() {
      return [...world.sent.values()];
    },
    whenSent: (holds, { timeoutMs } = {}) =>
      wait(
        () => [...world.sent.values()].find(holds),
        () =>
          `no such message was sent; there are ${JSON.stringify([...world.sent.values()].map(each => each.text))}`,
        timeoutMs,
      ),
    whenCalled: (route, holds = () => true, { timeoutMs } = {}) =>
      wait(
        () => calls.find(call => isRoute(route, `${call.method} ${call.path}`) && holds(call)),
        () =>
          `no such call of ${route}; there were ${calls.map(each => `${each.method} ${each.path}`).join(', ')}`,
        timeoutMs,
      ),
    fault: (route, fault, { times = 1 } = {}) => faults.add([route].flat(), fault, times),
    heal: () => faults.clear(),
    cut() {
      isCut = true;
      gateway.terminate();
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    revoke() {
      isRevoked = true;
      gateway.revoke();
    },
    async close() {
      gateway.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Answering {
  readonly call: Call;
  readonly response: ServerResponse;
  readonly faults: FaultList;
  readonly world: DiscordWorld;
  readonly api: DiscordApi;
}

/** Answers one request, or does what its fault says. */
async function answer({ call, response, faults, world, api }: Answering): Promise<void> {
  const fault = faults.take(`${call.method} ${call.path}`);
  if (fault === 'hang') return;
  if (fault === 'drop') return void response.destroy();
  if (fault === 'bad-gateway') return void response.writeHead(502).end('<html>Bad Gateway</html>');
  if (typeof fault === 'object' && 'redirectTo' in fault) {
    return void response.writeHead(302, { location: fault.redirectTo }).end();
  }
  if (typeof fault === 'object' && 'retryAfterSeconds' in fault)
    return limit(response, fault.retryAfterSeconds);
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal) return refuse(response, refusal);
  const file = /^\/attachments\/(\d+)$/.exec(call.path)?.[1];
  if (file !== undefined) return sendFile(response, world.files.get(file));
  const outcome = api.call(call);
  if (fault === 'drop-after') return void response.destroy();
  if ('refusal' in outcome) return refuse(response, outcome.refusal);
  const headers: Record<string, string> =
    typeof fault === 'object' && 'lastForSeconds' in fault
      ? {
          'x-ratelimit-limit': '5',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset-after': String(fault.lastForSeconds),
          'x-ratelimit-bucket': 'abcd1234',
        }
      : {};
  if (outcome.result === undefined) response.writeHead(204, headers).end();
  else sendJson(response, 200, outcome.result, headers);
}

async function readCall(request: IncomingMessage, token: string): Promise<Call> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const url = new URL(request.url ?? '', 'http://localhost');
  const path = decodeURIComponent(url.pathname).replace(/^\/api\/v10/, '');
  const isOpen = /^\/(?:interactions|webhooks|attachments)\//.test(path);
  return {
    ...{ method: request.method ?? 'GET', path, query: url.searchParams, at: performance.now() },
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

function limit(response: ServerResponse, seconds: number): void {
  const headers = { 'retry-after': String(seconds), 'x-ratelimit-scope': 'shared' };
  const body = { message: 'You are being rate limited.', retry_after: seconds, global: false };
  sendJson(response, 429, body, headers);
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  sendJson(response, status, { code, message });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) refuse(response, { status: 404, code: 0, message: 'Not Found' });
  else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
}
