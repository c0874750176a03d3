// The body of a request as it comes, within bounds: no more of it than is allowed, and nobody who only begins to say something
// is waited for.
import type { IncomingMessage } from 'node:http';
import type { Clock, Timer } from './clock.ts';
import { HermesError } from './errors.ts';

export interface Bounds {
  readonly clock: Clock;
  readonly mostBytes: number;
}

/** Between one piece and the next. */
const IDLE_MS = 30_000;

/** Throws USAGE_BAD_ARGUMENTS when there is more of it, and when it stalls; then the connection is closed. */
export async function* boundedBody(
  request: IncomingMessage,
  { clock, mostBytes }: Bounds,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let timer: Timer | undefined;
  const wait = (): void => {
    const stalled = new HermesError('USAGE_BAD_ARGUMENTS', `Nothing came for ${IDLE_MS / 1000} s.`);
    timer = clock.after(IDLE_MS, () => request.destroy(stalled));
  };
  try {
    wait();
    for await (const piece of request) {
      timer?.cancel();
      size += piece.length;
      if (size > mostBytes) throw bodyTooLarge(mostBytes);
      yield piece;
      wait();
    }
  } finally {
    timer?.cancel();
  }
}

function bodyTooLarge(mostBytes: number): HermesError {
  return new HermesError('USAGE_BAD_ARGUMENTS', `It has at most ${mostBytes} bytes.`, {
    details: { mostBytes },
  });
}
