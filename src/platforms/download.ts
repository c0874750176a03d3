// Fetches files of people: again where that may help, and never more of one than the limit.
import type { Clock } from '../base/clock.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import { retry } from '../base/retry.ts';

const ATTEMPTS = 3;

/** What is needed of a client; `closing` aborts when the connection is closed. */
interface Fetcher {
  readonly clock: Clock;
  readonly closing: AbortSignal;
}

/** Fetching twice harms nobody, so it is tried again while the server is unavailable, as it asks. */
export function fetchAgain<T>(
  { clock, closing }: Fetcher,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return retry(work, {
    clock,
    attempts: ATTEMPTS,
    signal: signal ?? closing,
    mayPass: error => {
      if (!isHermesError(error, 'UNAVAILABLE_PLATFORM') || closing.aborted) return false;
      const { retryAfterMs } = error.details;
      return typeof retryAfterMs === 'number' ? retryAfterMs : true;
    },
  });
}

/** The bytes of an answer. Throws what `fault` makes of its status, or USAGE_NOT_DELIVERED when there are more than `most`. */
export async function bytesOf(
  response: Response,
  most: number,
  fault: (status: number) => HermesError,
): Promise<Uint8Array> {
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw fault(response.status);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most) throw fileTooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function fileTooLarge(most: number): HermesError {
  const message = `The file has more than ${most / 1024 / 1024} MB; larger ones are not fetched.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details: { most } });
}

/** `from`: the platform, as people call it. */
export function downloadFault(from: string, status: number): HermesError {
  const details = { status };
  if (status >= 500 || status === 429) {
    return new HermesError('UNAVAILABLE_PLATFORM', `${from} could not send the file (${status}).`, {
      details,
    });
  }
  const message = `${from} does not have the file any more (${status}).`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details });
}
