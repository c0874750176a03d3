// A terminal in a sandbox as a raw two-way stream: a PTY of the toolbox over a WebSocket, whose interactive shell has been
// replaced by a script of ours. A terminal echoes and translates by itself; `stty raw -echo` ends that.
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { type Clock, sleep } from '../../base/clock.ts';
import { call } from './call.ts';
import type { Toolbox } from './cloud.ts';
import { ApiFault } from './faults.ts';

export interface TerminalOptions {
  readonly toolbox: Toolbox;
  readonly clock: Clock;
  /** Run by sh in place of the shell; what it prints is `onData`, what is sent it reads. */
  readonly script: string;
  readonly onData: (data: Buffer) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Terminal {
  send(data: string | Uint8Array): void;
  /** Resolves with the reason when the connection is gone. */
  readonly closed: Promise<string>;
  /** Gives the connection up; the script ends by itself. */
  close(): void;
  /** Ends the script, and the connection. Never rejects. */
  remove(): Promise<void>;
}

/** The service closes a connection that sends longer messages than 64 KiB. */
const MOST_MESSAGE = 48 * 1024;
const OPEN_MS = 20_000;
const MAX_PAYLOAD = 4 * 1024 * 1024;
/** A silent connection may be a dead one. */
const PING_MS = 20_000;

/** A connection that was not made has started nothing. */
const ATTEMPTS = 3;

/** Throws ApiFault; then nothing of it is left that runs for long. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openOnce(options);
    } catch (error) {
      const isLost = error instanceof ApiFault && error.status === undefined;
      if (!isLost || attempt === ATTEMPTS) throw error;
    }
  }
}

async function openOnce(options: TerminalOptions): Promise<Terminal> {
  const { toolbox, clock, script, signal } = options;
  const id = `hermes-${randomBytes(8).toString('hex')}`;
  await createSession(options, id);
  const socket = connect(toolbox, id);
  const terminal = wrap(socket, { ...options, id });
  try {
    await untilRaw(terminal, { socket, clock, script, signal, onData: options.onData });
    return terminal;
  } catch (error) {
    await terminal.remove();
    throw error;
  }
}

async function createSession({ toolbox, clock, signal }: TerminalOptions, id: string): Promise<void> {
  // Nobody's history, and as few control characters as can be.
  const envs = { TERM: 'dumb', HISTFILE: '/dev/null' };
  const wanted = { id, lazyStart: true, cols: 999, rows: 24, envs };
  try {
    await call(given => toolbox.processes.createPtySession(wanted, given), { clock, signal, repeat: 'safe' });
  } catch (error) {
    // The answer to the first attempt was lost.
    if (!(error instanceof ApiFault && error.status === 409)) throw error;
  }
}

function connect({ address, headers }: Toolbox, id: string): WebSocket {
  return new WebSocket(`${address}/process/pty/${id}/connect`, {
    headers,
    handshakeTimeout: OPEN_MS,
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD,
  });
}

function wrap(socket: WebSocket, { toolbox, clock, id }: TerminalOptions & { id: string }): Terminal {
  const closed = Promise.withResolvers<string>();
  // A failure shows as the close that follows it.
  let failure = '';
  socket.on('error', error => {
    failure = error.message;
  });
  const watch = keepWatch(socket, clock);
  socket.on('close', (code, reason) => {
    watch.stop();
    closed.resolve(failure || reason.toString() || `closed with ${code}`);
  });
  return {
    closed: closed.promise,
    send(data) {
      const bytes = Buffer.from(data);
      for (let at = 0; at < bytes.length && socket.readyState === WebSocket.OPEN; at += MOST_MESSAGE)
        socket.send(bytes.subarray(at, at + MOST_MESSAGE), { binary: true });
    },
    close: () => socket.close(),
    async remove() {
      socket.terminate();
      try {
        await call(given => toolbox.processes.deletePtySession(id, given), { clock, repeat: 'safe' });
      } catch (error) {
        // It has ended already, or its sandbox has.
        if (!(error instanceof ApiFault)) throw error;
      }
    },
  };
}

/** Ends a connection whose other side has answered once and does so no more. */
function keepWatch(socket: WebSocket, clock: Clock): { stop(): void } {
  let [isAnswered, hasAnswered] = [true, false];
  socket.on('pong', () => {
    [isAnswered, hasAnswered] = [true, true];
  });
  const look = (): void => {
    if (hasAnswered && !isAnswered) socket.terminate();
    isAnswered = false;
    if (socket.readyState === WebSocket.OPEN) socket.ping();
    timer = clock.after(PING_MS, look);
  };
  let timer = clock.after(PING_MS, look);
  return { stop: () => timer.cancel() };
}

interface RawParts extends Pick<TerminalOptions, 'clock' | 'script' | 'signal' | 'onData'> {
  readonly socket: WebSocket;
}

/** Types the line that makes it raw, and hands over what comes after the answer. */
async function untilRaw(
  terminal: Terminal,
  { socket, clock, script, signal, onData }: RawParts,
): Promise<void> {
  const nonce = randomBytes(12).toString('hex');
  const count = Buffer.byteLength(script);
  // The echo of the line has a space where the answer has none.
  const mark = `hermes-${nonce}\n`;
  const line = `stty raw -echo;printf '%s%s\\n' hermes- ${nonce};exec sh -c 'eval "$(dd bs=1 count=${count} 2>/dev/null)"'\n`;
  const raw = Promise.withResolvers<void>();
  let noise: Buffer | undefined = Buffer.alloc(0);
  let isOpen = false;
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      isOpen ||= isConnected(data);
      if (isOpen) terminal.send(line);
      else raw.reject(new ApiFault(410, data.toString().slice(0, 300)));
    } else if (noise === undefined) onData(data);
    else {
      noise = Buffer.concat([noise, data]);
      const at = noise.indexOf(mark);
      if (at < 0) return;
      const rest = noise.subarray(at + mark.length);
      noise = undefined;
      terminal.send(script);
      raw.resolve();
      if (rest.length > 0) onData(rest);
    }
  });
  const done = new AbortController();
  const limit = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
  const late = sleep(clock, OPEN_MS, limit).then(() => {
    throw new ApiFault(504, `a terminal was not ready after ${OPEN_MS / 1000} s`);
  });
  const lost = terminal.closed.then(reason => {
    if (isOpen) throw new ApiFault(422, `no shell stays open in the sandbox (${reason})`);
    throw new ApiFault(undefined, `a terminal was not opened (${reason})`);
  });
  try {
    await Promise.race([raw.promise, late, lost]);
  } finally {
    done.abort();
    // Whichever came second is nobody's concern any more.
    void Promise.allSettled([late, lost]);
  }
}

/** The only text that the service sends is news about the connection. */
function isConnected(data: Buffer): boolean {
  return /"status"\s*:\s*"connected"/.test(data.toString());
}
