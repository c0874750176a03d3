// A live connection to Signal: proves that the daemon has the account, then listens for messages and carries answers.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Chat, Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import { type Account, addressOf, isSame, textOrNone } from './address.ts';
import { Cards } from './cards.ts';
import { Client } from './client.ts';
import { type Endpoint, isUnknownMethod, outdated, unknownAccount, unreadable } from './faults.ts';
import type { Folder } from './folder.ts';
import { Incoming } from './incoming.ts';
import { fetchFile } from './incoming-file.ts';
import { Listener } from './listener.ts';
import { Outgoing } from './outgoing.ts';
import { OwnMessages } from './own-messages.ts';
import type { People } from './people.ts';
import { isOutdated } from './version.ts';

export interface Setup {
  readonly endpoint: Endpoint;
  readonly groups: readonly string[];
  readonly people: People;
  readonly folder: Folder;
}

const versionShape = z.object({ version: z.string() });
const accountsShape = z.array(z.object({ number: textOrNone, aci: textOrNone, uuid: textOrNone }));

/** Asks whether the daemon is new enough and has the account, and for no messages. */
export async function check(
  { endpoint }: Setup,
  { clock }: PlatformContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const client = new Client(endpoint, clock);
  try {
    await ownAccount(client, signal);
    return `as ${endpoint.account}, signal-cli ${await ownVersion(client, signal)}`;
  } finally {
    client.close();
  }
}

export async function connect(
  { endpoint, groups, people, folder }: Setup,
  { clock, log }: PlatformContext,
  { receive, onState, signal }: ConnectOptions,
): Promise<Connection> {
  const client = new Client(endpoint, clock);
  const account = await ownAccount(client, signal);
  const own = new OwnMessages();
  const cards = new Cards(folder, log);
  const isOwnChat = ({ id, kind }: Chat): boolean => kind === 'private' && isSame(addressOf(id), account);
  const outgoing = new Outgoing({ client, cards, own, isOwnChat });
  const incoming = new Incoming({ endpoint, account, groups, people, cards, own, log, receive });
  const listener = new Listener({
    ...{ client, folder, log, onState },
    take: data => incoming.take(data),
    prove: stopping => ownAccount(client, stopping),
  });
  /** When Signal has shut the account out, a call knows it first. */
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHermesError(error, 'AUTH_PLATFORM_TOKEN')) listener.fail(error);
      throw error;
    }
  };
  return {
    account: `connected as ${endpoint.account}`,
    send: (chat, message) => watched(outgoing.send(chat, message)),
    sendFile: (chat, file) => watched(outgoing.sendFile(chat, file)),
    typing: chat => outgoing.typing(chat),
    async answerButton(eventId, text) {
      const chat = incoming.chatOfReaction(eventId);
      if (chat) await watched(outgoing.send(chat, { text }));
    },
    fetchFile: async (ref, options) => fetchFile(client, ref, options?.signal),
    pause: () => listener.pause(),
    async close() {
      await listener.pause();
      client.close();
    },
  };
}

/** Throws UNAVAILABLE_PLATFORM when no daemon answers, AUTH_PLATFORM_TOKEN when it does not have the account. */
async function ownAccount(client: Client, signal: AbortSignal | undefined): Promise<Account> {
  const { endpoint } = client;
  await client.timed('check', { signal }, async heeded => {
    const response = await client.fetch('check', { signal: heeded }, 'check');
    await response.body?.cancel();
  });
  const wanted = addressOf(endpoint.account);
  const accounts = await listed(client, signal);
  // A daemon for one account has no list; it says with each message whose it is.
  const found = accounts === undefined ? wanted : accounts.find(each => isSame(each, wanted));
  if (!found) throw unknownAccount(endpoint, { details: { method: 'listAccounts' } });
  await ownVersion(client, signal);
  return { ...(await ownContact(client, signal)), ...wanted, ...found };
}

/** Throws UNAVAILABLE_PLATFORM when it is too old: it may be updated while Hermes runs. */
async function ownVersion(client: Client, signal: AbortSignal | undefined): Promise<string> {
  const { endpoint } = client;
  try {
    const { data } = versionShape.safeParse(await client.call('version', {}, { signal }));
    if (!data) throw unreadable('version', endpoint);
    if (isOutdated(data.version)) throw outdated(endpoint, data.version);
    return data.version;
  } catch (error) {
    if (error instanceof HermesError && isUnknownMethod(error)) throw outdated(endpoint, undefined);
    throw error;
  }
}

async function listed(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<readonly Account[] | undefined> {
  try {
    const { data } = accountsShape.safeParse(await client.call('listAccounts', {}, { signal }));
    if (!data) throw unreadable('listAccounts', client.endpoint);
    return data.map(({ number, aci, uuid }) => addressOf(number, aci, uuid));
  } catch (error) {
    if (error instanceof HermesError && isUnknownMethod(error)) return undefined;
    throw error;
  }
}

/** The other id of our account, where the daemon says it; mentions and reactions are found by either. */
async function ownContact(client: Client, signal: AbortSignal | undefined): Promise<Account> {
  const wanted = addressOf(client.endpoint.account);
  const params = { recipient: [client.endpoint.account], allRecipients: true };
  try {
    const { data } = accountsShape.safeParse(await client.call('listContacts', params, { signal }));
    const contacts = data?.map(({ number, aci, uuid }) => addressOf(number, aci, uuid)) ?? [];
    return contacts.find(each => isSame(each, wanted)) ?? {};
  } catch (error) {
    // Older daemons know the command and not all that we ask for.
    if (isHermesError(error, 'USAGE_NOT_DELIVERED')) return {};
    throw error;
  }
}
