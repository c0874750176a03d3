// Between a driver and its service, on loopback: passes on every request and every frame of a WebSocket, and keeps them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { readBytes } from '../doubles/double-server.ts';

/** Something that the service sent: an answer to a call, or a frame of a socket. */
export interface RecordedFrame {
  /** Of a call: `POST /path`; of a frame: `socket`. */
  readonly name: string;
  readonly body: unknown;
}

export interface RecordingProxy {
  /** Stands for the root of the service. */
  readonly root: string;
  readonly frames: readonly RecordedFrame[];
  close(): Promise<void>;
}

const HOP_HEADERS = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'];
const BODY_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];

/** `root`: the address of the service's API, with its path. */
export async function startRecordingProxy(root: string): Promise<RecordingProxy> {
  const service = new URL(root);
  const frames: RecordedFrame[] = [];
  /** Addresses of sockets that the service named, by the number in ours. */
  const sockets: string[] = [];
  const open = new Set<WebSocket>();
  const relay = new WebSocketServer({ noServer: true });
  let origin = '';

  const throughUs = (url: string): string => {
    sockets.push(url);
    return `${origin.replace('http', 'ws')}/socket/${sockets.length - 1}/${new URL(url).search}`;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '/', method = 'GET' } = request;
    const body = await readBytes(request);
    const given = Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.includes(name));
    const answer = await fetch(new URL(url, service.origin), {
      ...{ method, headers: given.map(([name, value]) => [name, String(value)] as [string, string]) },
      ...(body.length === 0 ? {} : { body }),
      redirect: 'manual',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const json = jsonOf(bytes);
    frames.push({ name: `${method} ${url}`, body: json });
    const headers = [...answer.headers].filter(([name]) => !BODY_HEADERS.includes(name));
    const named = socketOf(json);
    const passed = named ? Buffer.from(JSON.stringify({ ...named, url: throughUs(named.url) })) : bytes;
    response.writeHead(answer.status, Object.fromEntries(headers)).end(passed);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1');
    const known = sockets[Number(/^\/socket\/(\d+)/.exec(asked.pathname)?.[1])];
    if (known === undefined) return void socket.destroy();
    const target = new URL(known);
    for (const [name, value] of asked.searchParams) target.searchParams.set(name, value);
    relay.handleUpgrade(request, socket, head, ours => {
      const theirs = new WebSocket(target);
      for (const each of [ours, theirs]) open.add(each);
      join(ours, theirs, text => frames.push({ name: 'socket', body: jsonOf(Buffer.from(text)) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    root: `${origin}${service.pathname.replace(/\/$/, '')}`,
    frames,
    async close() {
      for (const each of open) each.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(ours: WebSocket, theirs: WebSocket, heard: (text: string) => void): void {
  const early: string[] = [];
  ours.on('message', data => {
    if (theirs.readyState === WebSocket.OPEN) theirs.send(String(data));
    else early.push(String(data));
  });
  theirs.on('open', () => {
    for (const text of early) theirs.send(text);
  });
  theirs.on('message', data => {
    heard(String(data));
    ours.send(String(data));
  });
  const pairs = [
    [ours, theirs],
    [theirs, ours],
  ] as const;
  for (const [from, to] of pairs) {
    from.on('error', () => to.terminate());
    from.on('close', () => to.close());
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An answer that names a socket, as Slack's and Discord's do. */
function socketOf(json: unknown): (Record<string, unknown> & { url: string }) | undefined {
  const isNamed =
    typeof json === 'object' && json !== null && 'url' in json && /^wss?:/.test(String(json.url));
  return isNamed ? { ...json, url: String(json.url) } : undefined;
}
