// The control socket of a running gateway: only the user of the gateway can open it.
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { asHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { controlAddress } from './control-address.ts';
import { ControlPeer } from './control-peer.ts';
import { type ControlRequest, LONGEST_LINE, parseRequest } from './control-protocol.ts';

export interface ControlOptions {
  readonly home: string;
  readonly handle: (request: ControlRequest) => Promise<unknown>;
  /** Errors may quote what a program said (P7). */
  readonly redact: (text: string) => string;
  readonly log: Log;
  /** How long somebody may be connected who asks nothing, or does not read the answer. */
  readonly idleMs?: number;
}

export interface ControlServer {
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 32;
/** Who has nothing to ask gives up the place. */
const IDLE_MS = 60_000;

/** Who calls it is the only gateway of this home: a socket that is there was left behind. */
export async function serveControl(options: ControlOptions): Promise<ControlServer> {
  const { path, close } = await controlAddress(options.home);
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const underWay = new Set<Promise<string>>();
  const answer = async (line: string, peer: ControlPeer): Promise<string> => {
    const answering = answerTo(line, peer, options);
    underWay.add(answering);
    try {
      return await answering;
    } finally {
      underWay.delete(answering);
    }
  };
  const server = createServer(socket => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', error => options.log.debug({ err: error }, 'a control connection broke'));
    serve(socket, answer, options.idleMs ?? IDLE_MS).catch(error =>
      options.log.error({ err: error }, 'a control connection could not be served'),
    );
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listenPrivately(server, path);
  return {
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      // Whoever has asked before gets the answer, also whoever asked for this.
      await Promise.all(underWay);
      setImmediate(() => {
        for (const socket of open) socket.destroySoon();
      });
      await closed.promise;
      await rm(path, { force: true });
      await close();
    },
  };
}

/** Binding happens inside of `listen` itself, so that there is no moment in which others could connect. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  const before = process.umask(0o177);
  try {
    server.listen(path, () => listening.resolve());
  } finally {
    process.umask(before);
  }
  await listening.promise;
  server.off('error', listening.reject);
}

async function serve(
  socket: Socket,
  answer: (line: string, peer: ControlPeer) => Promise<string>,
  idleMs: number,
): Promise<void> {
  const peer = new ControlPeer();
  let pending = '';
  let isAnswering = false;
  socket.setEncoding('utf8');
  socket.setTimeout(idleMs, () => {
    if (!isAnswering) socket.destroy();
  });
  for await (const piece of socket) {
    pending += piece;
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      isAnswering = true;
      const said = await answer(line, peer);
      isAnswering = false;
      // Whoever asks and does not read is not asked for more.
      if (!socket.write(`${said}\n`) && !socket.destroyed) await drained(socket);
    }
    if (pending.length > LONGEST_LINE) socket.destroy();
  }
}

/** Or closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    for (const event of ['drain', 'close']) socket.once(event, () => resolve());
  });
}

async function answerTo(
  line: string,
  peer: ControlPeer,
  { handle, redact, log }: ControlOptions,
): Promise<string> {
  try {
    const request = parseRequest(line.slice(0, LONGEST_LINE));
    if (request.verb === 'hello') return JSON.stringify({ ok: await peer.greet(request.pid) });
    peer.check();
    if (request.verb !== 'status')
      log.info({ verb: request.verb, actor: 'cli' }, 'asked over the control socket');
    return JSON.stringify({ ok: (await handle(request)) ?? null });
  } catch (error) {
    const failure = asHermesError(error);
    if (failure.code === 'BUG_UNEXPECTED') log.error({ err: error }, 'a control request failed');
    return redact(JSON.stringify({ error: failure }));
  }
}
