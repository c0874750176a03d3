// Fetches a file that somebody sent: its address is asked for, then its bytes, never more than the limit. The token goes along,
// so only to where WhatsApp keeps files.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { retry } from '../../base/retry.ts';
import { capabilities } from './capabilities.ts';
import { strangeAnswer } from './faults.ts';
import type { CallOptions, Graph } from './graph.ts';

const refShape = z.object({ mediaId: z.string().regex(/^[\w-]+$/) });
const mediaShape = z.object({ url: z.url(), file_size: z.number().optional() });

const DOWNLOAD_MS = 5 * 60_000;
const ATTEMPTS = 3;
const FILE_HOSTS = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/;

/** Throws USAGE_NOT_DELIVERED when it is too large or gone. Fetching twice harms nobody, so it is tried again. */
export function fetchFile(graph: Graph, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of WhatsApp.');
  const options: CallOptions = { signal, timeoutMs: DOWNLOAD_MS };
  return retry(() => fetchOnce(graph, data.mediaId, options), {
    clock: graph.clock,
    attempts: ATTEMPTS,
    signal: signal ?? graph.closing,
    mayPass: error => {
      if (!isHermesError(error, 'UNAVAILABLE_PLATFORM') || graph.closing.aborted) return false;
      const { retryAfterMs } = error.details;
      return typeof retryAfterMs === 'number' ? retryAfterMs : true;
    },
  });
}

async function fetchOnce(graph: Graph, mediaId: string, options: CallOptions): Promise<Uint8Array> {
  const { endpoint } = graph;
  const path = `${mediaId}?phone_number_id=${endpoint.phoneNumberId}`;
  const found = await graph.call({ what: 'a file', path, signal: options.signal });
  const { data } = mediaShape.safeParse(found);
  if (!data) throw strangeAnswer('a file', endpoint);
  if ((data.file_size ?? 0) > capabilities.maxFileIn) throw tooLarge();
  if (!isFileHost(data.url, endpoint.apiRoot)) {
    const { host } = new URL(data.url);
    const message = `WhatsApp names ${host} for a file, which is none of its places. The token is not sent there.`;
    throw new HermesError('USAGE_NOT_DELIVERED', message, { details: { host } });
  }
  return graph.timed('a file', options, async signal => {
    const response = await graph.fetch(data.url, { signal });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw downloadFault(response.status);
    }
    return readWithin(response.body, capabilities.maxFileIn);
  });
}

/** That of the API, for a server of one's own, or one of those that the Graph API names. */
export function isFileHost(url: string, apiRoot: string): boolean {
  const { origin, protocol, hostname } = new URL(url);
  return origin === new URL(apiRoot).origin || (protocol === 'https:' && FILE_HOSTS.test(hostname));
}

function downloadFault(status: number): HermesError {
  if (status >= 500 || status === 429) {
    return new HermesError('UNAVAILABLE_PLATFORM', `WhatsApp could not send the file (${status}).`, {
      details: { status },
    });
  }
  return new HermesError('USAGE_NOT_DELIVERED', `WhatsApp does not have the file any more (${status}).`, {
    details: { status },
  });
}

async function readWithin(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): HermesError {
  const most = capabilities.maxFileIn;
  return new HermesError('USAGE_NOT_DELIVERED', `The file has more than ${most / 1024 / 1024} MB.`, {
    details: { most },
  });
}
