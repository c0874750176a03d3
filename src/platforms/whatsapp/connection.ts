// A live connection to WhatsApp: proves the account, then serves the webhook and carries answers.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { CommandHint, Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import type { Template } from './contents.ts';
import { badToken, type Endpoint, strangeAnswer } from './faults.ts';
import { Graph } from './graph.ts';
import { fetchFile } from './incoming-file.ts';
import { Intake } from './intake.ts';
import { Outgoing } from './outgoing.ts';
import type { FailedStatus } from './parse.ts';
import type { PeopleBook } from './people-book.ts';
import { Pulse } from './pulse.ts';
import { serveWebhook } from './server.ts';

/** What is set up. */
export interface WhatsAppSetup {
  readonly endpoint: Endpoint;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly host: string;
  readonly port: number;
  readonly groups: readonly string[];
  readonly template: Template | undefined;
  readonly book: () => Promise<PeopleBook>;
}

const accountShape = z.object({ display_phone_number: z.string(), verified_name: z.string().optional() });
const LONGEST_COMMAND = 32;
const LONGEST_HINT = 256;
const MOST_COMMANDS = 30;
/** "Unsupported get request": there is no such number for this token. */
const NO_SUCH_NUMBER = 100;

/** Asks which number it is; nothing is served. */
export async function check(
  { endpoint }: Pick<WhatsAppSetup, 'endpoint'>,
  { clock }: PlatformContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const graph = new Graph(endpoint, clock);
  try {
    return `as ${nameOf(await ownNumber(graph, signal))}`;
  } finally {
    graph.close();
  }
}

export async function connect(
  setup: WhatsAppSetup,
  { clock, log }: PlatformContext,
  { receive, onUndelivered, onState, signal }: ConnectOptions,
): Promise<Connection> {
  const { endpoint, groups, template } = setup;
  const graph = new Graph(endpoint, clock);
  const own = await ownNumber(graph, signal);
  const number = own.display_phone_number.replace(/\D/g, '');
  const account = { phoneNumberId: endpoint.phoneNumberId, number, groups };
  const outgoing = new Outgoing({ graph, log, template });
  const book = await setup.book();
  const onFailed = async (status: FailedStatus): Promise<void> => {
    const report = await outgoing.failed(status);
    if (report) await onUndelivered?.(report);
  };
  const intake = new Intake({ account, book, clock, log, receive, onFailed });
  const webhook = await serveWebhook({ ...setup, clock, log, take: payload => intake.take(payload) });
  const pulse = new Pulse({
    graph,
    check: stopped => ownNumber(graph, stopped),
    onState(state) {
      if (state.kind === 'failed') intake.refuse(state.reason);
      onState(state);
    },
  });
  let paused: Promise<void> | undefined;
  const pause = (): Promise<void> => {
    paused ??= webhook.close();
    return paused;
  };
  return {
    account: `connected as ${nameOf(own)}, webhook at ${webhook.url}`,
    send: (chat, message) => outgoing.send(chat, message),
    sendFile: (chat, file) => outgoing.sendFile(chat, file),
    async typing(chat) {
      const last = intake.lastIn(chat);
      // After a restart it is not known; in groups there is none.
      if (last !== undefined && chat.kind === 'private') await outgoing.typing(chat, last);
    },
    async answerButton(eventId, text) {
      const chat = intake.chatOfPress(eventId);
      if (!chat)
        throw new HermesError('USAGE_NOT_DELIVERED', 'That press of a button is not remembered any more.');
      await outgoing.reply(chat, eventId, text);
    },
    fetchFile: async (ref, options) => fetchFile(graph, ref, options?.signal),
    announce: commands => announce(graph, commands),
    pause,
    async close() {
      await Promise.all([pause(), pulse.stop()]);
      graph.close();
    },
  };
}

type OwnNumber = z.infer<typeof accountShape>;

async function ownNumber(graph: Graph, signal: AbortSignal | undefined): Promise<OwnNumber> {
  const { endpoint } = graph;
  const path = `${endpoint.phoneNumberId}?fields=display_phone_number,verified_name`;
  let answer: unknown;
  try {
    answer = await graph.call({ what: 'the number of the agent', path, signal });
  } catch (error) {
    if (isHermesError(error, 'USAGE_NOT_DELIVERED') && error.details['code'] === NO_SUCH_NUMBER) {
      throw badToken(endpoint, { details: error.details, cause: error });
    }
    throw error;
  }
  const { data } = accountShape.safeParse(answer);
  if (!data) throw strangeAnswer('the number of the agent', endpoint);
  return data;
}

function nameOf({ display_phone_number: number, verified_name: name }: OwnNumber): string {
  return name ? `${name} (${number})` : number;
}

/** Shown when somebody types a slash. Names that WhatsApp does not take are left out; they work all the same. */
async function announce(graph: Graph, commands: readonly CommandHint[]): Promise<void> {
  const shown = commands
    .filter(({ name, doc }) => /^[a-z0-9_]+$/.test(name) && name.length <= LONGEST_COMMAND && doc !== '')
    .slice(0, MOST_COMMANDS)
    .map(({ name, doc }) => ({
      command_name: name,
      command_description: doc.slice(0, LONGEST_HINT).toWellFormed(),
    }));
  const path = `${graph.endpoint.phoneNumberId}/conversational_automation`;
  await graph.call({ what: 'the list of commands', path, body: { commands: shown } });
}
