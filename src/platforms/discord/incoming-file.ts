// Fetches a file that somebody sent, never more of it than the limit. Its address holds for a day; an older one is asked for
// anew.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { bytesOf, downloadFault, fetchAgain } from '../download.ts';
import { capabilities } from './capabilities.ts';
import type { Client } from './client.ts';
import { messageShape } from './payload.ts';

const refShape = z.object({
  channelId: z.string().regex(/^\d{1,20}$/),
  messageId: z.string().regex(/^\d{1,20}$/),
  fileId: z.string().regex(/^\d{1,20}$/),
  url: z.string(),
});
type Ref = z.infer<typeof refShape>;

const HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];
const DOWNLOAD_MS = 5 * 60_000;
/** How the store of files says that the address is too old. */
const EXPIRED = [403, 404];

/** Throws USAGE_NOT_DELIVERED when it is too large or gone. Fetching twice harms nobody, so it is tried again. */
export function fetchFile(client: Client, ref: unknown, signal?: AbortSignal): Promise<Uint8Array> {
  const { data } = refShape.safeParse(ref);
  if (!data) throw new HermesError('BUG_UNEXPECTED', 'This is no reference to a file of Discord.');
  return fetchAgain(client, signal, () => fetchOnce(client, data, signal));
}

async function fetchOnce(client: Client, ref: Ref, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await download(client, ref.url, signal);
  } catch (error) {
    const status = isHermesError(error, 'USAGE_NOT_DELIVERED') ? error.details['status'] : undefined;
    if (typeof status !== 'number' || !EXPIRED.includes(status)) throw error;
    return download(client, await freshUrl(client, ref, signal), signal);
  }
}

async function freshUrl(client: Client, ref: Ref, signal: AbortSignal | undefined): Promise<string> {
  const path = `/channels/${ref.channelId}/messages/${ref.messageId}` as const;
  const answer = await client.call({ method: 'GET', path, what: 'find a file again', signal });
  const message = messageShape.safeParse(answer).data;
  const own = message?.attachments ?? [];
  const passedOn = message?.message_snapshots.flatMap(each => each.message.attachments) ?? [];
  const found = [...own, ...passedOn].find(({ id }) => id === ref.fileId);
  if (found) return found.url;
  throw new HermesError('USAGE_NOT_DELIVERED', 'Discord does not have the file any more.');
}

function download(client: Client, url: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const address = allowed(url, client.endpoint.apiRoot);
  return client.timed('send a file', { timeoutMs: DOWNLOAD_MS, signal }, async within => {
    const response = await fetch(address, { signal: within, redirect: 'error' });
    return bytesOf(response, capabilities.maxFileIn, status => downloadFault('Discord', status));
  });
}

/** Only where Discord keeps files; with an API of your own, where that is. */
function allowed(url: string, apiRoot: string): string {
  const given = URL.parse(url);
  const own = URL.parse(apiRoot);
  const isDiscords = given?.protocol === 'https:' && HOSTS.includes(given.host);
  if (given && (isDiscords || given.origin === own?.origin)) return given.href;
  throw new HermesError('USAGE_NOT_DELIVERED', 'The file is not kept at Discord, so it is not fetched.');
}
