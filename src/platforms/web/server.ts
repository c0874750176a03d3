// The HTTP side of the web chat: the link that lets somebody in, files as bytes, and the way to the WebSocket.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { HermesError, isHermesError, systemErrorCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { hostInUrl } from '../../base/loopback.ts';
import type { WebFolder } from './folder.ts';
import type { Logins } from './logins.ts';
import { type Origins, originsOf } from './origins.ts';
import { MAX_FILE } from './protocol.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly origins: readonly string[];
  readonly logins: Logins;
  readonly folder: WebFolder;
  readonly log: Log;
  /** A request that has become a WebSocket of this person. */
  readonly onUpgrade: (person: string, request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface WebServer {
  readonly url: string;
  close(): Promise<void>;
}

/** For an answer that is no page and must never be taken for one. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
};

/** Throws UNAVAILABLE_PLATFORM when the address cannot be used. */
export async function serveWeb(options: ServerOptions): Promise<WebServer> {
  const { host, port, log } = options;
  const server = createServer();
  await listening(server, host, port);
  const chosen = (server.address() as AddressInfo).port; // it listens on a port, not on a path
  const origins = originsOf(host, chosen, options.origins);
  server.on('request', (request, response) => {
    answer(request, response, { ...options, origins }).catch(error => {
      log.error({ err: error }, 'a request of the web chat failed');
      if (!response.headersSent) end(response, 500, 'It failed; the log has the reason.');
    });
  });
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, { ...options, origins }));
  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    url: `http://${hostInUrl(host)}:${chosen}`,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => resolve());
  try {
    await promise;
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown';
    const message = `The web chat cannot listen on ${host}, port ${port} (${code}). Set web.port to another one, or to 0 for any that is free.`;
    throw new HermesError('UNAVAILABLE_PLATFORM', message, { cause: error });
  }
  server.off('error', reject);
}

type Answering = Omit<ServerOptions, 'origins'> & { readonly origins: Origins };

async function answer(request: IncomingMessage, response: ServerResponse, given: Answering): Promise<void> {
  const { logins, folder } = given;
  if (!given.origins.isHost(request.headers.host)) return end(response, 403, 'Not under this name.');
  const url = new URL(request.url ?? '/', 'http://localhost');
  const call = `${request.method} ${url.pathname.split('/')[1]}`;
  if (call === 'GET login') {
    const cookie = logins.redeem(url.searchParams.get('token') ?? '');
    if (!cookie)
      return end(response, 403, 'This link was used or is too old. Make another: hermes gateway login');
    response.writeHead(303, { ...SAFE_HEADERS, 'set-cookie': cookie, location: '/' }).end();
    return;
  }
  const person = logins.personIn(request.headers.cookie);
  if (person === undefined) return end(response, 401, 'Who is it? Make a link: hermes gateway login');
  if (call === 'POST files') {
    if (!given.origins.isOrigin(request.headers.origin)) return end(response, 403, 'Not from this page.');
    return upload(request, response, { folder, person, name: url.searchParams.get('name') ?? '' });
  }
  if (call === 'GET files') return download(response, url.pathname.split('/')[2] ?? '', { folder, person });
  return end(response, 404, 'There is nothing here.');
}

async function upload(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, person, name }: { readonly folder: WebFolder; readonly person: string; readonly name: string },
): Promise<void> {
  if (name === '' || name.length > 255)
    return end(response, 400, 'A file has a name of 1 to 255 characters.');
  const tooLarge = `A file has at most ${MAX_FILE} bytes.`;
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE) return end(response, 413, tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // What comes without a length is counted; the rest of it is not read.
    if (size > MAX_FILE) return end(response, 413, tooLarge);
    chunks.push(chunk);
  }
  try {
    const kept = await folder.keepUpload(person, name, Buffer.concat(chunks));
    response
      .writeHead(201, { ...SAFE_HEADERS, 'content-type': 'application/json' })
      .end(JSON.stringify(kept));
  } catch (error) {
    if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) throw error;
    end(response, 429, error.message);
  }
}

async function download(
  response: ServerResponse,
  id: string,
  { folder, person }: { readonly folder: WebFolder; readonly person: string },
): Promise<void> {
  const bytes = /^[a-z0-9]{1,32}$/.test(id) ? await folder.sent(person, id) : undefined;
  if (!bytes) return end(response, 404, 'There is no such file.');
  const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
  response.writeHead(200, { ...SAFE_HEADERS, ...headers, 'content-length': bytes.length }).end(bytes);
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, given: Answering): void {
  const { origins, logins, onUpgrade } = given;
  const isOurs = origins.isHost(request.headers.host) && origins.isOrigin(request.headers.origin);
  const person = logins.personIn(request.headers.cookie);
  if (request.url === '/ws' && isOurs && person !== undefined) {
    onUpgrade(person, request, socket, head);
    return;
  }
  const status = request.url !== '/ws' ? '404 Not Found' : isOurs ? '401 Unauthorized' : '403 Forbidden';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function end(response: ServerResponse, status: number, text: string): void {
  // A body that nobody reads any more must not keep the connection.
  if (status >= 400) response.shouldKeepAlive = false;
  response
    .writeHead(status, { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
    .end(`${text}\n`);
}
