// Fetches a file that somebody sent: Slack is asked where it is, then its bytes are read, never more than the limit.
import { z } from 'zod';
import { HermesError } from '../../base/errors.ts';
import { bytesOf, fetchAgain } from '../download.ts';
import { slackAddress } from './addresses.ts';
import { capabilities } from './capabilities.ts';
import type { CallOptions, Client } from './client.ts';

const refShape = z.object({ fileId: z.string().regex(/^[A-Za-z0-9]+$/) });
const infoShape = z.object({
  file: z.object({ url_private_download: z.string().optional(), url_private: z.string().optional() }),
});

const DOWNLOAD_MS = 5 * 60_000;

/** Throws USAGE_NOT_DELIVERED when it is too large, gone or not kept at Slack. Fetching twice harms nobody. */
export async function fetchFile(client: Client, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of Slack.');
  const options: CallOptions = { signal, timeoutMs: DOWNLOAD_MS };
  return fetchAgain(client, signal, () => fetchOnce(client, data.fileId, options));
}

async function fetchOnce(client: Client, fileId: string, options: CallOptions): Promise<Uint8Array> {
  const found = await client.call('files.info', { file: fileId }, { signal: options.signal });
  const { file } = infoShape.safeParse(found).data ?? {};
  const url = slackAddress(file?.url_private_download || file?.url_private || '', client.endpoint);
  if (!url) {
    const message =
      'The file is not kept at Slack itself, so it is not fetched. Send the file, not a link to it.';
    throw new HermesError('USAGE_NOT_DELIVERED', message, { details: { fileId } });
  }
  const headers = { authorization: `Bearer ${client.endpoint.botToken}` };
  return client.timed('file', options, async signal => {
    // Who may not read it is sent to a page to log in; that is no file.
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    return bytesOf(response, capabilities.maxFileIn, downloadFault);
  });
}

function downloadFault(status: number): HermesError {
  const details = { status };
  if (status >= 500 || status === 429) {
    return new HermesError('UNAVAILABLE_PLATFORM', `Slack could not send the file (${status}).`, { details });
  }
  const isGone = status === 404 || status === 410;
  const message = isGone
    ? `Slack does not have the file any more (${status}).`
    : `Slack does not give us the file (${status}). The app may have no files:read: add it under OAuth & Permissions, and install the app again.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details });
}
