// The HTTP side of the web chat: the link that lets somebody in, files as bytes, and the way to the WebSocket.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { boundedBody } from '../../base/bounded-body.ts';
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { hostInUrl } from '../../base/loopback.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { Pages, Visitor } from '../platform.ts';
import type { WebFolder } from './folder.ts';
import { answerLogin } from './login-page.ts';
import type { Logins } from './logins.ts';
import { type Origins, originsOf } from './origins.ts';
import { chatId, chatOf, MAX_FILE } from './protocol.ts';
import { end, SAFE_HEADERS } from './say.ts';
import { Turnstile } from './turnstile.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly origins: readonly string[];
  readonly logins: Logins;
  /** Whether somebody with a cookie may be there now. */
  readonly isWelcome: (person: string) => Promise<boolean>;
  readonly folder: WebFolder;
  readonly clock: Clock;
  readonly log: Log;
  /** Whatever is neither login, chat nor file. */
  readonly pages?: Pages;
  /** A request that has become a WebSocket of this person. */
  readonly onUpgrade: (person: string, request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface WebServer {
  readonly url: string;
  close(): Promise<void>;
}

const PLATFORM = 'web';
const REASONS: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  EADDRINUSE: ['somebody else listens there', 'Set web.port to another one, or to 0 for any that is free'],
  EADDRNOTAVAIL: ['this machine has no such address', 'Set web.host to one of its own, such as 127.0.0.1'],
  EACCES: ['this user may not', 'Set web.port to one above 1023'],
};
/** Two slashes would begin the name of another machine. */
const PATH = /^\/(?![/\\])/;
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Throws CONFIG_INVALID when the address cannot be used. */
export async function serveWeb(options: ServerOptions): Promise<WebServer> {
  const { host, port, log } = options;
  const server = createServer();
  await listening(server, host, port).catch(error => {
    options.pages?.close();
    throw error;
  });
  const chosen = (server.address() as AddressInfo).port; // it listens on a port, not on a path
  const origins = originsOf(host, chosen, options.origins);
  const turnstile = new Turnstile();
  server.on('request', (request, response) => {
    answer(request, response, { ...options, origins, turnstile }).catch(error => {
      log.error({ err: error }, 'a request of the web chat failed');
      if (!response.headersSent) end(response, 500, 'It failed; the log has the reason.');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', error => log.debug({ err: error }, 'a web socket broke'));
    upgrade(request, socket, head, { ...options, origins }).catch(error => {
      log.error({ err: error }, 'a socket of the web chat failed');
      refuse(socket, '500 Internal Server Error');
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    url: shownAddress(host, chosen, options.origins),
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

/** Where it listens on every address, none of them is one for a browser; the operator knows what is. */
function shownAddress(host: string, port: number, [first]: readonly string[]): string {
  const own = `http://${hostInUrl(host)}:${port}`;
  return EVERY_ADDRESS.includes(host) ? (first ?? own) : own;
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => resolve());
  try {
    await promise;
  } catch (error) {
    throw unusable(error, host, port);
  }
  server.off('error', reject);
}

function unusable(error: unknown, host: string, port: number): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  const [reason, fix] = REASONS[code] ?? [systemReason(error), 'Set web.host and web.port'];
  const message = `The page cannot listen on ${host}, port ${port}: ${reason}. ${fix}.`;
  return new HermesError('CONFIG_INVALID', message, { details: { host, port }, cause: error });
}

type Answering = Omit<ServerOptions, 'origins'> & {
  readonly origins: Origins;
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  given: Answering & { readonly turnstile: Turnstile },
): Promise<void> {
  const { logins, origins, turnstile } = given;
  if (!origins.isHost(request.headers.host)) return end(response, 403, 'Not under this name.');
  const isChange = request.method !== 'GET' && request.method !== 'HEAD';
  if (isChange && !origins.isOrigin(request.headers.origin)) return end(response, 403, 'Not from this page.');
  if (!PATH.test(request.url ?? '')) return end(response, 400, 'That is no path.');
  const url = new URL(request.url ?? '/', 'http://localhost');
  const person = await personIn(request, given);
  const leave = isChange ? turnstile.enter(person ?? '') : undefined;
  if (isChange && !leave) return end(response, 429, 'Too many requests are under way; wait for one to end.');
  try {
    if (url.pathname.split('/')[1] === 'login')
      await answerLogin(request, response, { url, logins, origins });
    else await answerPerson(request, response, { ...given, url, person });
  } finally {
    leave?.();
  }
}

async function answerPerson(
  request: IncomingMessage,
  response: ServerResponse,
  given: Answering & { readonly url: URL; readonly person: string | undefined },
): Promise<void> {
  const { folder, pages, url, person, clock } = given;
  const [, first = '', second = ''] = url.pathname.split('/');
  const call = `${request.method} ${first}`;
  const visitor = person === undefined ? undefined : visitorOf(person);
  if (first !== 'files' && (await pages?.answer(request, response, visitor))) return;
  if (person === undefined) return end(response, 401, 'Who is it? Make a link: hermes gateway login');
  if (call === 'POST files')
    return upload(request, response, { folder, clock, person, name: url.searchParams.get('name') ?? '' });
  if (call === 'GET files') return download(response, second, { folder, person });
  return end(response, 404, 'There is nothing here.');
}

/** Whoever is not let in any more is logged out, whatever the cookie says. */
async function personIn(
  { headers }: IncomingMessage,
  { logins, isWelcome }: Pick<Answering, 'logins' | 'isWelcome'>,
): Promise<string | undefined> {
  const person = logins.personIn(headers.cookie);
  return person !== undefined && (await isWelcome(person)) ? person : undefined;
}

interface Uploading {
  readonly folder: WebFolder;
  readonly clock: Clock;
  readonly person: string;
  readonly name: string;
}

async function upload(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, clock, person, name }: Uploading,
): Promise<void> {
  if (name === '' || name.length > 255)
    return end(response, 400, 'A file has a name of 1 to 255 characters.');
  const tooLarge = `A file has at most ${MAX_FILE} bytes.`;
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE) return end(response, 413, tooLarge);
  try {
    // What comes without a length is counted; the rest of it is not read.
    const body = boundedBody(request, { clock, mostBytes: MAX_FILE });
    const kept = await folder.keepUpload(person, name, body);
    response
      .writeHead(201, { ...SAFE_HEADERS, 'content-type': 'application/json' })
      .end(JSON.stringify(kept));
  } catch (error) {
    if (isHermesError(error, 'USAGE_NOT_DELIVERED')) end(response, 429, error.message);
    else if (isHermesError(error, 'USAGE_BAD_ARGUMENTS')) end(response, 413, error.message);
    else if (!request.destroyed || request.complete) throw error;
  }
}

async function download(
  response: ServerResponse,
  id: string,
  { folder, person }: { readonly folder: WebFolder; readonly person: string },
): Promise<void> {
  const file = /^[a-z0-9]{1,32}$/.test(id) ? await folder.sent(person, id) : undefined;
  if (!file) return end(response, 404, 'There is no such file.');
  const { size } = await file.stat();
  const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
  response.writeHead(200, { ...SAFE_HEADERS, ...headers, 'content-length': size });
  // As it is taken: a slow reader holds a piece of it, and not the whole. Whoever leaves before the end has not failed us.
  await pipeline(file.createReadStream(), response).catch(error => {
    if (!response.destroyed) throw error;
  });
}

async function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  given: Answering,
): Promise<void> {
  const { origins, onUpgrade, pages } = given;
  const isOurs = origins.isHost(request.headers.host) && origins.isOrigin(request.headers.origin);
  const person = await personIn(request, given);
  if (!isOurs) refuse(socket, '403 Forbidden');
  else if (person === undefined) refuse(socket, '401 Unauthorized');
  else if (request.url === '/ws') onUpgrade(person, request, socket, head);
  else if (!pages?.upgrade(request, socket, head, visitorOf(person))) refuse(socket, '404 Not Found');
}

function visitorOf(person: string): Visitor {
  return {
    platform: PLATFORM,
    id: person,
    chatId: name => (chatOf(chatId(person, name)) ? chatId(person, name) : undefined),
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
