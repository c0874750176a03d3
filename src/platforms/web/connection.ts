// A live web chat: the server, its sockets, and the answers of the gateway.
import type { WebSocket } from 'ws';
import { HermesError } from '../../base/errors.ts';
import { sendParts, wholePart } from '../message-parts.ts';
import type { CommandHint, Connection, ConnectOptions, PlatformContext } from '../platform.ts';
import { WebFolder } from './folder.ts';
import { Logins } from './logins.ts';
import { MAX_BUTTON_DATA, MAX_FILE, MAX_FRAME, MAX_TEXT, personName } from './protocol.ts';
import { type Room, Rooms } from './rooms.ts';
import { serveWeb } from './server.ts';
import { WebClient } from './socket.ts';

export interface WebOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string | undefined;
  readonly password?: string | undefined;
  readonly origins: readonly string[];
}

const TEXT_LIMITS = { maxText: MAX_TEXT, maxButtonData: MAX_BUTTON_DATA };
const MOST_SOCKETS = 64;
const MOST_SOCKETS_OF_ONE = 16;
const MOST_PRESSES = 1000;

export async function connectWeb(
  { host, port, secret, password, origins }: WebOptions,
  { clock, log, home, pages: openPages }: PlatformContext,
  { receive, onState, signal, isWelcome = async () => true }: ConnectOptions,
): Promise<Connection> {
  signal?.throwIfAborted();
  const { WebSocketServer } = await import('ws');
  const pages = await openPages?.();
  const folder = await WebFolder.open(home, clock);
  const logins = new Logins(clock, { secret, password });
  const rooms = new Rooms(folder, clock);
  const presses = new Map<string, Room>();
  const clients = new Map<WebClient, string>();
  let commands: readonly CommandHint[] = [];
  let isPaused = false;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, perMessageDeflate: false });
  const onPress = (eventId: string, room: Room): void => {
    const [oldest] = presses.keys();
    if (presses.size >= MOST_PRESSES && oldest !== undefined) presses.delete(oldest);
    presses.set(eventId, room);
  };
  const parts = {
    rooms,
    folder,
    clock,
    log,
    receive,
    isWelcome,
    onPress,
    isPaused: () => isPaused,
    commands: () => commands,
  };
  const admit = (socket: WebSocket, person: string): void => {
    const own = [...clients.values()].filter(each => each === person).length;
    if (clients.size >= MOST_SOCKETS || own >= MOST_SOCKETS_OF_ONE) {
      socket.close(1013, 'too many');
      return;
    }
    const client = new WebClient(socket, person, parts);
    clients.set(client, person);
    socket.on('close', () => clients.delete(client));
  };
  const server = await serveWeb({
    ...{ clock, host, port, origins, logins, isWelcome, folder, log },
    ...(pages ? { pages } : {}),
    onUpgrade: (person, request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, made => admit(made, person)),
  });
  const pause = async (): Promise<void> => {
    isPaused = true;
    await Promise.all([...clients.keys()].map(client => client.settled()));
  };
  onState({ kind: 'connected' });
  return {
    account: `served on ${server.url}`,
    ...answers({ rooms, folder, presses }),
    async announce(given) {
      commands = given;
      for (const client of clients.keys()) client.show({ type: 'commands', commands });
    },
    fetchFile: ref => folder.fetchUpload(ref),
    async invite(person) {
      if (!personName.safeParse(person).success) {
        const message = `${JSON.stringify(person)} is no name for the web: letters, digits, dots, dashes; at most 64.`;
        throw new HermesError('USAGE_BAD_ARGUMENTS', message);
      }
      const { token, expiresAt } = logins.invite(person);
      return { link: `${server.url}/login?token=${token}`, expiresAt };
    },
    pause,
    async close() {
      await pause();
      pages?.close();
      for (const client of clients.keys()) client.leave();
      await server.close();
      sockets.close();
      await folder.close();
    },
  };
}

interface Answers {
  readonly rooms: Rooms;
  readonly folder: WebFolder;
  readonly presses: Map<string, Room>;
}

type Answering = 'send' | 'sendFile' | 'edit' | 'typing' | 'answerButton';

function answers({ rooms, folder, presses }: Answers): Required<Pick<Connection, Answering>> {
  return {
    async send(chat, message) {
      const room = await rooms.find(chat.id);
      return sendParts(message, TEXT_LIMITS, part => rooms.say(room, { from: 'agent', ...part }));
    },
    async sendFile(chat, { name, bytes, caption = '' }) {
      const room = await rooms.find(chat.id);
      if (bytes.length > MAX_FILE) {
        const message = `The file ${name} has ${bytes.length} bytes; the web takes ${MAX_FILE}.`;
        throw new HermesError('USAGE_NOT_DELIVERED', message);
      }
      const file = await folder.keepSent(room.person, name, bytes);
      return { ids: [await rooms.say(room, { from: 'agent', text: caption, files: [file] })] };
    },
    async edit(chat, messageId, message) {
      await rooms.change(await rooms.find(chat.id), messageId, wholePart(message, TEXT_LIMITS));
    },
    async typing(chat) {
      for (const viewer of (await rooms.find(chat.id)).viewers) viewer.show({ type: 'typing' });
    },
    async answerButton(eventId, text) {
      for (const viewer of presses.get(eventId)?.viewers ?? []) {
        viewer.show({ type: 'button-answer', id: eventId, text });
      }
      presses.delete(eventId);
    },
  };
}
