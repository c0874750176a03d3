// A live connection to Slack: proves both tokens, then takes what comes over Socket Mode and carries answers.
import { HermesError } from '../../base/errors.ts';
import type { Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import { checkAppToken, checkTokens, type OwnAccount, ownAccount } from './account.ts';
import { MAX_NOTICE } from './capabilities.ts';
import { Client } from './client.ts';
import type { Endpoint } from './faults.ts';
import { fetchFile } from './incoming-file.ts';
import { Intake } from './intake.ts';
import { Names } from './names.ts';
import { Outgoing } from './outgoing.ts';
import { type ParseOptions, pressPlace } from './parse.ts';
import { Progress } from './progress.ts';
import { escapeMrkdwn } from './render.ts';
import { Rooms } from './rooms.ts';
import { Socket } from './socket.ts';

export interface SlackOptions {
  readonly endpoint: Endpoint;
  readonly replies: ParseOptions['replies'];
}

/** Asks who the bot is, and for no events: those belong to whoever is connected. */
export async function check(
  { endpoint }: SlackOptions,
  { clock }: PlatformContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  checkTokens(endpoint);
  const client = await Client.open(endpoint, clock);
  try {
    const account = await ownAccount(client, signal);
    await checkAppToken(client, signal);
    const { lacks } = account;
    return `as ${nameOf(account)}${lacks.length > 0 ? `, without ${lacks.join(', ')}` : ''}`;
  } finally {
    client.close();
  }
}

export async function connect(
  { endpoint, replies }: SlackOptions,
  { clock, log }: PlatformContext,
  { receive, onState, signal }: ConnectOptions,
): Promise<Connection> {
  signal?.throwIfAborted();
  checkTokens(endpoint);
  const client = await Client.open(endpoint, clock);
  try {
    const account = await ownAccount(client, signal);
    for (const lack of account.lacks) log.warn({ lack }, 'Slack lets the app not do everything');
    const rooms = new Rooms(client);
    const progress = new Progress(client, rooms, log);
    let commands: ReadonlySet<string> = new Set();
    const intake = new Intake({
      ...{ client, rooms, progress, receive, log, names: new Names(client) },
      parsing: () => ({ account, replies, commands }),
      answerPress: (eventId, text) => answerButton(client, eventId, text),
    });
    const onEnvelope: Intake['take'] = envelope => intake.take(envelope);
    const socket = await Socket.open({ client, log, onState, onEnvelope }, signal);
    client.whenRefused(error => socket.fail(error));
    const pause = async (): Promise<void> => {
      await intake.stop();
      await socket.stop();
    };
    return {
      account: `connected as ${nameOf(account)}`,
      ...talk(client, new Outgoing(client, rooms)),
      typing: chat => progress.show(chat),
      // The menu of Slack has the one command of the app; what follows it is known from here.
      announce: async hints => {
        commands = new Set(hints.map(({ name }) => name));
      },
      pause,
      async close() {
        await pause();
        await progress.close();
        client.close();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

function talk(client: Client, outgoing: Outgoing) {
  return {
    send: (chat, message) => outgoing.send(chat, message),
    sendFile: (chat, file) => outgoing.sendFile(chat, file),
    edit: async (chat, messageId, message) => outgoing.edit(chat, messageId, message),
    answerButton: (eventId, text) => answerButton(client, eventId, text),
    fetchFile: (ref, options) => fetchFile(client, ref, options?.signal),
  } satisfies Partial<Connection>;
}

/** Only whoever pressed sees it. */
async function answerButton(client: Client, eventId: string, text: string): Promise<void> {
  const place = pressPlace(eventId);
  if (!place) throw new HermesError('USAGE_NOT_DELIVERED', 'This is no press of a button in Slack.');
  const { channel, user, thread } = place;
  await client.call('chat.postEphemeral', {
    ...{ channel, user, text: escapeMrkdwn(text.slice(0, MAX_NOTICE).toWellFormed()) },
    ...(thread === undefined ? {} : { thread_ts: thread }),
  });
}

function nameOf({ userName, team }: OwnAccount): string {
  return team === '' ? `@${userName}` : `@${userName} in ${team}`;
}
