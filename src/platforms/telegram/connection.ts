// A live connection to Telegram: proves the token, then polls for messages and carries answers.
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { CommandHint, Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import { MAX_NOTICE } from './capabilities.ts';
import { Client } from './client.ts';
import { badToken, type Endpoint } from './faults.ts';
import { fetchFile } from './incoming-file.ts';
import { Outgoing } from './outgoing.ts';
import type { Account } from './parse.ts';
import { Poller } from './poll.ts';

const accountShape = z.object({ id: z.int(), username: z.string() });
/** What BotFather hands out; anything else would only make a strange address. */
const TOKEN = /^\d+:[\w-]+$/;
const COMMAND = /^[a-z0-9_]{1,32}$/;
const LONGEST_HINT = 256;

/** Asks who the bot is, and for no messages: those belong to whoever is connected. */
export async function check(
  endpoint: Endpoint,
  { clock }: PlatformContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const client = clientOf(endpoint, clock);
  try {
    return `as @${(await ownAccount(client, signal)).username}`;
  } finally {
    client.close();
  }
}

function clientOf(endpoint: Endpoint, clock: Clock): Client {
  if (TOKEN.test(endpoint.token)) return new Client(endpoint, clock);
  throw badToken(endpoint, { details: { reason: 'it does not look like 123456:ABC-DEF' } });
}

export async function connect(
  endpoint: Endpoint,
  { clock, log }: PlatformContext,
  { receive, onState, signal }: ConnectOptions,
): Promise<Connection> {
  const client = clientOf(endpoint, clock);
  const account = await ownAccount(client, signal);
  const poller = new Poller({ client, account, receive, onState, log });
  const outgoing = new Outgoing(client);
  return {
    account: `connected as @${account.username}`,
    send: (chat, message) => outgoing.send(chat, message),
    sendFile: (chat, file) => outgoing.sendFile(chat, file),
    edit: (chat, messageId, message) => outgoing.edit(chat, messageId, message),
    typing: chat => outgoing.typing(chat),
    async answerButton(eventId, text) {
      const notice = text.slice(0, MAX_NOTICE).toWellFormed();
      await client.call('answerCallbackQuery', { callback_query_id: eventId, text: notice });
    },
    fetchFile: async (ref, options) => fetchFile(client, ref, options?.signal),
    async announce(commands) {
      await client.call('setMyCommands', { commands: menuOf(commands) });
    },
    pause: () => poller.pause(),
    async close() {
      await poller.pause();
      client.close();
    },
  };
}

async function ownAccount(client: Client, signal: AbortSignal | undefined): Promise<Account> {
  const { endpoint } = client;
  let answer: unknown;
  try {
    answer = await client.call('getMe', undefined, { signal });
  } catch (error) {
    // This is how Telegram answers a token that never was one.
    if (isHermesError(error) && error.details['status'] === 404) {
      throw badToken(endpoint, { details: error.details, cause: error });
    }
    throw error;
  }
  const { data } = accountShape.safeParse(answer);
  if (data) return data;
  const message = `What ${endpoint.apiRoot} answers is no account of a bot. Check \`telegram.api_root\`.`;
  throw new HermesError('UNAVAILABLE_PLATFORM', message);
}

/** Names that Telegram does not take in its menu are left out; they work all the same. */
function menuOf(commands: readonly CommandHint[]): { command: string; description: string }[] {
  return commands
    .filter(({ name, doc }) => COMMAND.test(name) && doc !== '')
    .map(({ name, doc }) => ({ command: name, description: doc.slice(0, LONGEST_HINT).toWellFormed() }));
}
