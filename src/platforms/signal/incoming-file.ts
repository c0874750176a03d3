// Fetches a file that somebody sent. The daemon gives it as base64 in JSON; it is decoded as it comes, so that a large one
// is in memory once, and never more of it than the limit.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { retry } from '../../base/retry.ts';
import { readWithin } from './body.ts';
import { capabilities } from './capabilities.ts';
import type { CallOptions, Client } from './client.ts';
import { unreadable } from './faults.ts';

const refShape = z.object({
  /** A name in a folder of the daemon's, and never a way out of it. */
  id: z.string().regex(/^(?!\.)[\w.=+-]{1,200}$/),
  recipient: z.string().optional(),
  groupId: z.string().optional(),
});

const METHOD = 'getAttachment';
const DOWNLOAD_MS = 5 * 60_000;
const ATTEMPTS = 3;
/** The data begins within the first bytes of an answer. */
const LONGEST_HEAD = 4096;
const QUOTE = 0x22;

/** Throws USAGE_NOT_DELIVERED when it is too large or gone. Fetching twice harms nobody, so it is tried again. */
export function fetchFile(client: Client, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of Signal.');
  const options: CallOptions = { signal, timeoutMs: DOWNLOAD_MS };
  return retry(() => fetchOnce(client, data, options), {
    clock: client.clock,
    attempts: ATTEMPTS,
    signal: signal ?? client.closing,
    mayPass: error => {
      if (!isHermesError(error, 'UNAVAILABLE_PLATFORM') || client.closing.aborted) return false;
      const { retryAfterMs } = error.details;
      return typeof retryAfterMs === 'number' ? retryAfterMs : true;
    },
  });
}

async function fetchOnce(
  client: Client,
  ref: z.infer<typeof refShape>,
  options: CallOptions,
): Promise<Uint8Array> {
  try {
    return await client.post(METHOD, client.requestFor(METHOD, ref), options, response =>
      decode(client, response),
    );
  } catch (error) {
    // Refused, or thrown while it was read: the daemon has no such file any more.
    const status = isHermesError(error) ? error.details['status'] : undefined;
    if (status !== -1 && status !== -32_603) throw error;
    const message = 'The file is not kept by signal-cli any more, or was never fetched. Ask for it again.';
    throw new HermesError('USAGE_NOT_DELIVERED', message, { details: { status }, cause: error });
  }
}

async function decode(client: Client, { body, headers }: Response): Promise<Uint8Array> {
  const chunks = (body ?? new Blob([]).stream())[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let start = -1;
  while (start < 0 && head.length < LONGEST_HEAD) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
    start = startOfData(head);
  }
  const rest = { [Symbol.asyncIterator]: () => chunks };
  if (start >= 0) {
    const data = new Base64Reader(Number(headers.get('content-length') ?? 0));
    data.add(head.subarray(start));
    for await (const chunk of rest) data.add(chunk);
    return data.bytes() ?? Promise.reject(unreadable(METHOD, client.endpoint));
  }
  const more = await readWithin(rest, 1024 * 1024, () => unreadable(METHOD, client.endpoint));
  client.resultIn(METHOD, Buffer.concat([head, more]).toString('utf8'));
  throw unreadable(METHOD, client.endpoint);
}

function startOfData(head: Buffer): number {
  const [found] = /"data"\s*:\s*"/.exec(head.toString('latin1')) ?? [];
  return found === undefined ? -1 : head.indexOf(found, 'latin1') + found.length;
}

/** Base64 up to the next quotation mark, of which it has none, in one buffer that grows where it must. */
class Base64Reader {
  #buffer: Buffer;
  #length = 0;
  /** Less than four letters, which are no bytes yet. */
  #left = '';
  #isWhole = false;

  /** `expected`: letters, where it is known. */
  constructor(expected: number) {
    this.#buffer = Buffer.allocUnsafe(Math.min(capabilities.maxFileIn, Math.ceil(expected * 0.75)) + 4);
  }

  /** Throws USAGE_NOT_DELIVERED when it becomes too large. */
  add(chunk: Uint8Array): void {
    if (this.#isWhole) return;
    const end = chunk.indexOf(QUOTE);
    const letters = Buffer.from(chunk.buffer, chunk.byteOffset, end < 0 ? chunk.length : end).toString(
      'latin1',
    );
    const text = this.#left + letters;
    const usable = end < 0 ? text.length - (text.length % 4) : text.length;
    this.#left = text.slice(usable);
    this.#isWhole = end >= 0;
    this.#makeRoom(usable);
    this.#length += this.#buffer.write(text.slice(0, usable), this.#length, 'base64');
    if (this.#length > capabilities.maxFileIn) throw tooLarge();
  }

  /** Undefined when its end has not come. */
  bytes(): Uint8Array | undefined {
    return this.#isWhole ? this.#buffer.subarray(0, this.#length) : undefined;
  }

  #makeRoom(letters: number): void {
    const needed = this.#length + Math.ceil(letters * 0.75);
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function tooLarge(): HermesError {
  const most = capabilities.maxFileIn;
  const message = `The file has more than ${most / 1024 / 1024} MB; Signal carries no larger ones.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details: { most } });
}
