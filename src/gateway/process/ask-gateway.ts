// How a command talks to the running gateway of its home.
import { connect, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../base/errors.ts';
import { type ControlAddress, controlAddress, controlPath } from './control-address.ts';
import { type ControlRequest, parseAnswer } from './control-protocol.ts';

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
  try {
    address = await controlAddress(home);
    return parseAnswer(await exchange(address.path, `${JSON.stringify(request)}\n`, { clock, timeoutMs }));
  } catch (error) {
    if (!NOBODY.includes(systemErrorCode(error) ?? '')) throw inWords(error, home);
    throw new HermesError(
      'UNAVAILABLE_NOT_RUNNING',
      `No gateway runs for ${home}. Start it with: hermes gateway start --detach`,
      { details: { home }, cause: error },
    );
  } finally {
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

function exchange(
  path: string,
  line: string,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket: Socket = connect(path);
  const slow = new HermesError(
    'UNAVAILABLE_NO_ANSWER',
    `The gateway has not answered for ${timeoutMs / 1000} s. \`hermes gateway logs\` may show why.`,
  );
  const timer = clock.after(timeoutMs, () => reject(slow));
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', piece => {
    received += piece;
    const end = received.indexOf('\n');
    if (end >= 0) resolve(received.slice(0, end));
  });
  socket.on('error', reject);
  socket.on('close', () =>
    reject(new HermesError('UNAVAILABLE_NO_ANSWER', 'The gateway ended before it had answered.')),
  );
  socket.write(line);
  return promise.finally(() => {
    timer.cancel();
    socket.destroy();
  });
}
