// Fetches a file that somebody sent: its address is asked for, then its bytes, never more than the limit. The token goes along,
// so only to where WhatsApp keeps files.
import { z } from 'zod';
import { HermesError } from '../../base/errors.ts';
import { bytesOf, downloadFault, fetchAgain, fileTooLarge } from '../download.ts';
import { capabilities } from './capabilities.ts';
import { strangeAnswer } from './faults.ts';
import type { CallOptions, Graph } from './graph.ts';

const refShape = z.object({ mediaId: z.string().regex(/^[\w-]+$/) });
const mediaShape = z.object({ url: z.url(), file_size: z.number().optional() });

const DOWNLOAD_MS = 5 * 60_000;
const FILE_HOSTS = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/;

/** Throws USAGE_NOT_DELIVERED when it is too large or gone. Fetching twice harms nobody, so it is tried again. */
export function fetchFile(graph: Graph, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of WhatsApp.');
  const options: CallOptions = { signal, timeoutMs: DOWNLOAD_MS };
  return fetchAgain(graph, signal, () => fetchOnce(graph, data.mediaId, options));
}

async function fetchOnce(graph: Graph, mediaId: string, options: CallOptions): Promise<Uint8Array> {
  const { endpoint } = graph;
  const path = `${mediaId}?phone_number_id=${endpoint.phoneNumberId}`;
  const found = await graph.call({ what: 'a file', path, signal: options.signal });
  const { data } = mediaShape.safeParse(found);
  if (!data) throw strangeAnswer('a file', endpoint);
  if ((data.file_size ?? 0) > capabilities.maxFileIn) throw fileTooLarge(capabilities.maxFileIn);
  if (!isFileHost(data.url, endpoint.apiRoot)) {
    const { host } = new URL(data.url);
    const message = `WhatsApp names ${host} for a file, which is none of its places. The token is not sent there.`;
    throw new HermesError('USAGE_NOT_DELIVERED', message, { details: { host } });
  }
  return graph.timed('a file', options, async signal => {
    const response = await graph.fetch(data.url, { signal });
    return bytesOf(response, capabilities.maxFileIn, status => downloadFault('WhatsApp', status));
  });
}

/** That of the API, for a server of one's own, or one of those that the Graph API names. */
export function isFileHost(url: string, apiRoot: string): boolean {
  const { origin, protocol, hostname } = new URL(url);
  return origin === new URL(apiRoot).origin || (protocol === 'https:' && FILE_HOSTS.test(hostname));
}
