// One message of ours in Slack: posted, changed or taken away. A text whose blocks Slack refuses goes out without, never not
// at all.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Body } from './blocks.ts';
import { MAX_PLAIN_EDIT, MAX_SECTION } from './capabilities.ts';
import type { Client } from './client.ts';
import { areBlocksRefused } from './faults.ts';

const sentShape = z.object({ ts: z.string() });

export interface Place {
  readonly channel: string;
  readonly thread?: string | undefined;
}

/** Slack would fetch addresses in what the agent writes by itself, and could carry data out that way. */
const previewOff = { unfurl_links: false, unfurl_media: false };

/** The id of the message. */
export function post(client: Client, { channel, thread }: Place, { whole, blocks }: Body): Promise<string> {
  const to = { channel, ...(thread === undefined ? {} : { thread_ts: thread }), ...previewOff };
  const send = async (content: object): Promise<string> =>
    idOf(await client.call('chat.postMessage', { ...to, ...content }));
  if (blocks.length === 0) return send({ text: whole });
  return textIfRefused(
    () => send({ text: notification(whole), blocks }),
    () => send({ text: whole }),
  );
}

export async function change(
  client: Client,
  at: { readonly channel: string; readonly ts: string },
  { whole, blocks }: Body,
): Promise<void> {
  await textIfRefused(
    () => client.call('chat.update', { ...at, text: notification(whole), blocks }),
    () => {
      // Blocks that are not named stay; that there are none has to be said too.
      if (whole.length <= MAX_PLAIN_EDIT)
        return client.call('chat.update', { ...at, text: whole, blocks: [] });
      const message = `Slack refuses the blocks of a message, and takes at most ${MAX_PLAIN_EDIT} characters for it without.`;
      throw new HermesError('USAGE_NOT_DELIVERED', message);
    },
  );
}

/** What is shown where there is no room for blocks. */
function notification(whole: string): string {
  return whole.length <= MAX_SECTION ? whole : `${whole.slice(0, MAX_SECTION - 1).toWellFormed()}…`;
}

/** One that is gone already is gone. */
export async function remove(client: Client, channel: string, ts: string): Promise<void> {
  try {
    await client.call('chat.delete', { channel, ts });
  } catch (error) {
    if (!isHermesError(error, 'USAGE_NOT_DELIVERED')) throw error;
  }
}

async function textIfRefused<T>(formatted: () => Promise<T>, plain: () => Promise<T>): Promise<T> {
  try {
    return await formatted();
  } catch (error) {
    if (!isHermesError(error) || !areBlocksRefused(error)) throw error;
    return plain();
  }
}

function idOf(answer: unknown): string {
  const { data } = sentShape.safeParse(answer);
  if (data) return data.ts;
  throw new HermesError('UNAVAILABLE_PLATFORM', 'Slack took a message and did not say its id.', {
    details: { mayBeDelivered: true },
  });
}
