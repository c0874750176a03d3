// Brings a file to Slack in its three steps: ask where to, send the bytes there, say in which chat it belongs.
import { z } from 'zod';
import { HermesError } from '../../base/errors.ts';
import { slackAddress } from './addresses.ts';
import type { Client } from './client.ts';
import { unreadable, unseen } from './faults.ts';

const UPLOAD_MS = 10 * 60_000;
const placeShape = z.object({ upload_url: z.string(), file_id: z.string().regex(/^[A-Za-z0-9]+$/) });

export interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly channel: string;
  readonly thread?: string | undefined;
  /** In mrkdwn; stands above the file. */
  readonly comment?: string;
}

/** The id of the file. Until the last step nobody sees anything of it. */
export async function upload(
  client: Client,
  { name, bytes, channel, thread, comment }: Upload,
): Promise<string> {
  const filename = wireName(name);
  const place = await unseen(client.call('files.getUploadURLExternal', { filename, length: bytes.length }));
  const { data } = placeShape.safeParse(place);
  const url = slackAddress(data?.upload_url ?? '', client.endpoint);
  if (!data || !url) throw unreadable(client.endpoint, 'files.getUploadURLExternal');
  await unseen(
    client.timed('upload', { timeoutMs: UPLOAD_MS }, async signal => {
      // The address is a ticket in itself: no token goes along.
      const response = await fetch(url, { method: 'POST', body: bytes.slice(), signal, redirect: 'error' });
      await response.body?.cancel();
      if (!response.ok) throw uploadFault(name, response.status);
    }),
  );
  await client.call('files.completeUploadExternal', {
    files: [{ id: data.file_id, title: filename }],
    channel_id: channel,
    ...(thread === undefined ? {} : { thread_ts: thread }),
    ...(comment === undefined ? {} : { initial_comment: comment }),
  });
  return data.file_id;
}

function uploadFault(name: string, status: number): HermesError {
  const details = { name, status };
  return status >= 500 || status === 429
    ? new HermesError(
        'UNAVAILABLE_PLATFORM',
        `Slack could not take ${name} (${status}). It is tried again.`,
        { details },
      )
    : new HermesError('USAGE_NOT_DELIVERED', `Slack does not take ${name} (${status}).`, { details });
}

function wireName(name: string): string {
  return name.replace(/\p{Cc}+/gu, '_').toWellFormed() || 'file';
}
