// Fetches a file that somebody sent: its path is asked for, then its bytes, never more than the limit.
import { z } from 'zod';
import { HermesError } from '../../base/errors.ts';
import { bytesOf, downloadFault, fetchAgain } from '../download.ts';
import { capabilities } from './capabilities.ts';
import type { CallOptions, Client } from './client.ts';

const refShape = z.object({ fileId: z.string() });
const fileShape = z.object({
  // A server in local mode names a path of its own machine instead; that is none to fetch.
  file_path: z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^?#\\]+$/),
});

const DOWNLOAD_MS = 5 * 60_000;

/** Throws USAGE_NOT_DELIVERED when it is too large or gone. Fetching twice harms nobody, so it is tried again. */
export function fetchFile(client: Client, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of Telegram.');
  const options: CallOptions = { signal, timeoutMs: DOWNLOAD_MS };
  return fetchAgain(client, signal, () => fetchOnce(client, data.fileId, options));
}

async function fetchOnce(client: Client, fileId: string, options: CallOptions): Promise<Uint8Array> {
  const found = await client.call('getFile', { file_id: fileId }, { signal: options.signal });
  const { data } = fileShape.safeParse(found);
  if (!data) {
    const message = `Telegram at ${client.endpoint.apiRoot} gives no path to fetch the file from. A Bot API server of your own must run without --local.`;
    throw new HermesError('USAGE_NOT_DELIVERED', message);
  }
  const { apiRoot, token } = client.endpoint;
  const path = data.file_path.split('/').map(encodeURIComponent).join('/');
  return client.timed('getFile', options, async signal => {
    // Another server must not get the token that is in the address.
    const response = await fetch(`${apiRoot}/file/bot${token}/${path}`, { signal, redirect: 'error' });
    return bytesOf(response, capabilities.maxFileIn, status => downloadFault('Telegram', status));
  });
}
