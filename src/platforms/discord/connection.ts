// A live connection to Discord: proves the token and what the bot may read, then listens at the gateway and carries answers.

import { Limits } from '../limits.ts';
import type { Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import { clientOf, ownApplication } from './account.ts';
import { Channels } from './channels.ts';
import type { Client } from './client.ts';
import { type Endpoint, limited } from './faults.ts';
import { gatewayOf } from './gateway-address.ts';
import { fetchFile } from './incoming-file.ts';
import { Interactions } from './interactions.ts';
import { type Listener, listen } from './listener.ts';
import { menuOf } from './menu.ts';
import { Outgoing } from './outgoing.ts';
import type { ParseOptions } from './parse.ts';
import { Places } from './places.ts';

export interface DiscordOptions extends Endpoint, Pick<ParseOptions, 'freeChannels' | 'threads'> {}

export async function connect(
  options: DiscordOptions,
  context: PlatformContext,
  given: ConnectOptions,
): Promise<Connection> {
  given.signal?.throwIfAborted();
  const client = clientOf(options, context.clock);
  try {
    return await connectWith(client, { options, context, given });
  } catch (error) {
    client.close();
    throw error;
  }
}

interface Wanted {
  readonly options: DiscordOptions;
  readonly context: PlatformContext;
  readonly given: ConnectOptions;
}

async function connectWith(client: Client, { options, context, given }: Wanted): Promise<Connection> {
  const { receive, onState, signal } = given;
  const { freeChannels, threads } = options;
  const account = await ownApplication(client, signal);
  const { url } = await gatewayOf(client, signal);
  const limits = new Limits(context.clock, limited);
  const places = new Places(client, account);
  const channels = new Channels(client, places, threads);
  const interactions = new Interactions(client, context.log);
  const listener = await listen({
    ...{ context, client, account, url, limits, places, channels, interactions },
    ...{ receive, onState, freeChannels, threads },
  });
  await untilOpened(listener, signal);
  const outgoing = new Outgoing(client, channels, limits);
  return {
    account: `connected as ${account.username}`,
    send: (chat, message) => outgoing.send(chat, message),
    sendFile: (chat, file) => outgoing.sendFile(chat, file),
    edit: (chat, messageId, message) => outgoing.edit(chat, messageId, message),
    typing: chat => outgoing.typing(chat),
    answerButton: (eventId, text) => interactions.answer(eventId, text),
    fetchFile: async (ref, fetching) => fetchFile(client, ref, fetching?.signal),
    async announce(commands) {
      const path = `/applications/${account.applicationId}/commands` as const;
      await client.call({ method: 'PUT', path, what: 'take the commands', body: menuOf(commands) });
    },
    pause: () => listener.stop(),
    async close() {
      await listener.stop();
      client.close();
    },
  };
}

async function untilOpened(listener: Listener, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([listener.opened, aborted.promise]);
  } catch (error) {
    await listener.stop();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
