// How a command talks to the running gateway of its home.
import { connect, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../base/errors.ts';
import { type ControlAddress, controlAddress, controlPath } from './control-address.ts';
import { greetByName } from './control-peer.ts';
import { type ControlRequest, parseAnswer, parseGreeting } from './control-protocol.ts';

export interface AskOptions {
  readonly clock?: Clock;
  /** Suspending a sandbox takes a while; looking does not. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 150_000;
/** Nobody listens there. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/** Throws UNAVAILABLE_NOT_RUNNING when there is none, and whatever the gateway throws. */
export async function askGateway(
  home: string,
  request: ControlRequest,
  { clock = systemClock, timeoutMs = TIMEOUT_MS }: AskOptions = {},
): Promise<unknown> {
  let address: ControlAddress | undefined;
  let line: Line | undefined;
  try {
    address = await controlAddress(home);
    line = openLine(address.path, { clock, timeoutMs });
    await greet(line);
    return parseAnswer(await line.ask(request));
  } catch (error) {
    if (!NOBODY.includes(systemErrorCode(error) ?? '')) throw inWords(error, home);
    throw new HermesError(
      'UNAVAILABLE_NOT_RUNNING',
      `No gateway runs for ${home}. Start it with: hermes gateway start --detach`,
      { details: { home }, cause: error },
    );
  } finally {
    line?.close();
    await address?.close();
  }
}

/** Undefined when no gateway runs. */
export async function askIfRunning(
  home: string,
  request: ControlRequest,
  options?: AskOptions,
): Promise<unknown> {
  try {
    return await askGateway(home, request, options);
  } catch (error) {
    if (isHermesError(error, 'UNAVAILABLE_NOT_RUNNING')) return undefined;
    throw error;
  }
}

function inWords(error: unknown, home: string): unknown {
  if (systemErrorCode(error) !== 'EACCES' && systemErrorCode(error) !== 'EPERM') return error;
  const message = `The gateway of ${home} belongs to another user; only that one can use ${controlPath(home)}.`;
  return new HermesError('DENIED_PERSON', message, { cause: error });
}

/** Shows which process asks. A gateway from before this was asked for knows no greeting, and needs none. */
async function greet({ ask }: Line): Promise<void> {
  try {
    await greetByName(async () => parseGreeting(parseAnswer(await ask({ verb: 'hello', pid: process.pid }))));
  } catch (error) {
    if (!isHermesError(error, 'USAGE_BAD_ARGUMENTS')) throw error;
  }
}

interface Line {
  ask(request: unknown): Promise<string>;
  close(): void;
}

function openLine(
  path: string,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Line {
  const socket: Socket = connect(path);
  let received = '';
  let waiting = Promise.withResolvers<string>();
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    waiting.reject(failure);
  };
  const slow = new HermesError(
    'UNAVAILABLE_NO_ANSWER',
    `The gateway has not answered for ${timeoutMs / 1000} s. \`hermes gateway logs\` may show why.`,
  );
  const timer = clock.after(timeoutMs, () => fail(slow));
  socket.setEncoding('utf8');
  socket.on('data', piece => {
    received += piece;
    const end = received.indexOf('\n');
    if (end < 0) return;
    waiting.resolve(received.slice(0, end));
    received = received.slice(end + 1);
  });
  socket.on('error', fail);
  socket.on('close', () =>
    fail(new HermesError('UNAVAILABLE_NO_ANSWER', 'The gateway ended before it had answered.')),
  );
  return {
    ask(request) {
      if (failure !== undefined) return Promise.reject(failure);
      waiting = Promise.withResolvers();
      socket.write(`${JSON.stringify(request)}\n`);
      return waiting.promise;
    },
    close() {
      timer.cancel();
      socket.destroy();
    },
  };
}
