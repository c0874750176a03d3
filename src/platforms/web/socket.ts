// One WebSocket of one person: greets, hands on what comes in, one after the other, and shows what the chat gets.
import type { RawData, WebSocket } from 'ws';
import type { Clock, Timer } from '../../base/clock.ts';
import { asHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { CommandHint, PlatformEvent } from '../platform.ts';
import type { WebFolder } from './folder.ts';
import { type ClientFrame, chatId, LIMITS, parseFrame, type ServerFrame, VERSION } from './protocol.ts';
import type { Room, Rooms, Viewer } from './rooms.ts';

export interface SocketParts {
  readonly rooms: Rooms;
  readonly folder: WebFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly receive: (event: PlatformEvent) => Promise<void>;
  /** Whether a person may be there now. */
  readonly isWelcome: (person: string) => Promise<boolean>;
  /** No more events are taken. */
  readonly isPaused: () => boolean;
  readonly commands: () => readonly CommandHint[];
  /** Where the answer to a press is shown. */
  readonly onPress: (eventId: string, room: Room) => void;
}

const HELLO_MS = 10_000;
const PING_MS = 30_000;
/** Frames that wait for the one before; then the socket is not read. */
const MOST_WAITING = 8;
const MOST_MALFORMED = 20;
/** Bytes that wait for a slow reader; it comes back and gets what is missing. */
const MOST_BUFFERED = 8 * 1024 * 1024;
const CLOSE = { unsupported: 1003, policy: 1008, goingAway: 1001 } as const;

export class WebClient implements Viewer {
  readonly #socket: WebSocket;
  readonly #person: string;
  readonly #parts: SocketParts;
  #chat: { readonly name: string; readonly room: Room } | undefined;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #malformed = 0;
  #isAlive = true;
  #timer: Timer;

  constructor(socket: WebSocket, person: string, parts: SocketParts) {
    this.#socket = socket;
    this.#person = person;
    this.#parts = parts;
    this.#timer = parts.clock.after(HELLO_MS, () => this.#end(CLOSE.policy, 'hello is missing'));
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('error', error => parts.log.debug({ err: error }, 'a web socket broke'));
    socket.on('close', () => this.#left());
  }

  show(frame: ServerFrame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_BUFFERED) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(frame));
  }

  /** Resolves when what has come in so far has been dealt with. */
  settled(): Promise<void> {
    return this.#queue;
  }

  /** The gateway stops; the other end comes back later. */
  leave(): void {
    this.#end(CLOSE.goingAway, 'the gateway stops');
  }

  #take(data: RawData, isBinary: boolean): void {
    const frame = isBinary ? undefined : parseFrame(String(data));
    if (!frame) this.#complain(isBinary);
    else this.#enqueue(frame);
  }

  #enqueue(frame: ClientFrame): void {
    this.#waiting += 1;
    if (this.#waiting >= MOST_WAITING) this.#socket.pause();
    this.#queue = this.#queue
      .then(() => this.#handle(frame))
      .catch(error => {
        this.#parts.log.error({ err: error }, 'a frame of the web chat failed');
        this.#end(CLOSE.policy, 'internal error');
      })
      .finally(() => {
        this.#waiting -= 1;
        this.#socket.resume();
      });
  }

  #complain(isBinary: boolean): void {
    this.#malformed += 1;
    if (isBinary) this.#end(CLOSE.unsupported, 'frames are text');
    else if (this.#malformed > MOST_MALFORMED) this.#end(CLOSE.policy, 'too many malformed frames');
    else
      this.show({ type: 'error', code: 'USAGE_BAD_ARGUMENTS', reason: 'That is no frame of this protocol.' });
  }

  async #handle(frame: ClientFrame): Promise<void> {
    if (!(await this.#isWelcome())) return;
    if (frame.type === 'hello') return this.#greet(frame);
    const chat = this.#chat;
    if (!chat) return this.#end(CLOSE.policy, 'hello comes first');
    if (this.#parts.isPaused()) return this.#refuse(frame.id, 'The gateway stops. Send it again later.');
    const event = await this.#eventOf(frame, chat.name);
    if (!event) return this.#refuse(frame.id, 'An uploaded file is not kept any more. Upload it again.');
    if (event.kind === 'button') this.#parts.onPress(event.id, chat.room);
    // Before it is answered; one that is not taken is sent again under the same id.
    if (frame.type === 'message') await this.#echo(frame, chat.room);
    try {
      await this.#parts.receive(event);
    } catch (error) {
      this.#parts.log.warn(
        { error: asHermesError(error).message, event: event.id },
        'a message was not taken',
      );
      return this.#refuse(frame.id, 'It was not taken. Send it again.');
    }
    this.show({ type: 'ack', id: frame.id });
  }

  /** Ends the socket of somebody who may not be there any more. */
  async #isWelcome(): Promise<boolean> {
    const isWelcome = await this.#parts.isWelcome(this.#person);
    if (!isWelcome) this.#end(CLOSE.policy, 'not let in any more');
    return isWelcome;
  }

  async #greet({ chat: name, after }: Extract<ClientFrame, { type: 'hello' }>): Promise<void> {
    const { rooms, clock, commands } = this.#parts;
    this.#chat?.room.viewers.delete(this);
    const room = await rooms.enter(this.#person, name);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#chat = { name, room };
    const { entries, complete } = room.mailbox.since(after);
    const { last } = room.mailbox;
    const who = { person: this.#person, chat: name, version: VERSION } as const;
    this.show({ type: 'welcome', ...who, last, complete, limits: LIMITS, commands: commands() });
    for (const entry of entries) this.show({ type: 'message', ...entry });
    room.viewers.add(this);
    this.#timer.cancel();
    this.#timer = clock.after(PING_MS, () => this.#ping());
  }

  /** Undefined when a file is not there. */
  async #eventOf(
    frame: Exclude<ClientFrame, { type: 'hello' }>,
    name: string,
  ): Promise<PlatformEvent | undefined> {
    const common = {
      id: frame.id,
      chat: { id: chatId(this.#person, name), kind: 'private' as const },
      sender: { id: this.#person, name: this.#person },
    };
    if (frame.type === 'button') {
      return { kind: 'button', ...common, data: frame.data, messageId: frame.messageId };
    }
    const uploads = await Promise.all(frame.files.map(id => this.#parts.folder.upload(this.#person, id)));
    const files = uploads.filter(each => each !== undefined);
    if (files.length < uploads.length) return undefined;
    return { kind: 'message', ...common, text: frame.text, files, isAddressed: true };
  }

  /** So that it is there on other screens, and after a reload; a repeat is there already. */
  async #echo({ id, text }: Extract<ClientFrame, { type: 'message' }>, room: Room): Promise<void> {
    const own = `you-${id}`;
    if (!room.mailbox.find(own)) await this.#parts.rooms.say(room, { id: own, from: 'you', text });
  }

  #refuse(id: string, reason: string): void {
    this.show({ type: 'error', id, code: 'UNAVAILABLE_PLATFORM', reason });
  }

  #ping(): void {
    if (!this.#isAlive) this.#socket.terminate();
    this.#isAlive = false;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.ping();
    this.#timer = this.#parts.clock.after(PING_MS, () => this.#ping());
    // Who only looks is asked about too.
    this.#isWelcome().catch(error =>
      this.#parts.log.error({ err: error }, 'a web socket was not looked after'),
    );
  }

  #end(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #left(): void {
    this.#timer.cancel();
    this.#chat?.room.viewers.delete(this);
  }
}
