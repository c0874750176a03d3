// The chats that somebody is in or has been in: their mailboxes, and the sockets that look at them now.
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { MessagePart } from '../message-parts.ts';
import type { WebFolder } from './folder.ts';
import { Mailbox } from './mailbox.ts';
import { chatId, chatOf, type Entry, type SentFile, type ServerFrame } from './protocol.ts';

/** Somebody who looks at a chat. */
export interface Viewer {
  show(frame: ServerFrame): void;
}

export interface Room {
  readonly person: string;
  readonly mailbox: Mailbox;
  readonly viewers: Set<Viewer>;
}

interface Opened {
  readonly room: Promise<Room>;
  readonly viewers: Set<Viewer>;
  usedAt: number;
}

const MOST_OPEN = 100;
/** Longer than anything takes that is being said there. */
const IDLE_MS = 60_000;

interface Said extends MessagePart {
  readonly id?: string;
  readonly from: Entry['from'];
  readonly files?: readonly SentFile[];
}

export class Rooms {
  readonly #folder: WebFolder;
  readonly #clock: Clock;
  /** Whichever was used last stands last. */
  readonly #open = new Map<string, Opened>();

  constructor(folder: WebFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Of a chat as the gateway knows it. Throws USAGE_NOT_DELIVERED when it is none of ours. */
  find(id: string): Promise<Room> {
    const chat = chatOf(id);
    if (chat) return this.enter(chat.person, chat.name);
    throw new HermesError('USAGE_NOT_DELIVERED', `The web has no chat ${JSON.stringify(id)}.`);
  }

  enter(person: string, name: string): Promise<Room> {
    const id = chatId(person, name);
    const found = this.#open.get(id);
    const opened = found ?? this.#load(id, person);
    opened.usedAt = this.#clock.now();
    this.#open.delete(id);
    this.#open.set(id, opened);
    this.#forgetIdle();
    return opened.room;
  }

  #load(id: string, person: string): Opened {
    const viewers = new Set<Viewer>();
    const mailbox = Mailbox.open(this.#folder.journal(id));
    return { room: mailbox.then(opened => ({ person, mailbox: opened, viewers })), viewers, usedAt: 0 };
  }

  get size(): number {
    return this.#open.size;
  }

  /** What nobody looks at and nobody has used for a while is read again when it is needed. */
  #forgetIdle(): void {
    for (const [id, { viewers, usedAt }] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      if (viewers.size === 0 && this.#clock.now() - usedAt >= IDLE_MS) this.#open.delete(id);
    }
  }

  /** Written down, then shown to everybody who looks. */
  async say(room: Room, { id = newId(), from, text, buttons, files }: Said): Promise<string> {
    const { entry, dropped } = await room.mailbox.put(
      {
        ...{ id, from, text, at: this.#clock.now() },
        ...(buttons ? { buttons } : {}),
        ...(files && files.length > 0 ? { files } : {}),
      },
      'now',
    );
    for (const viewer of room.viewers) viewer.show({ type: 'message', ...entry });
    await this.#folder.forgetSent(
      room.person,
      dropped.flatMap(({ files: gone = [] }) => gone),
    );
    return id;
  }

  /** Throws USAGE_NOT_DELIVERED when it is not kept any more. */
  async change(room: Room, id: string, { text, buttons }: MessagePart): Promise<void> {
    const before = room.mailbox.find(id);
    if (!before) throw new HermesError('USAGE_NOT_DELIVERED', 'That message is not kept any more.');
    const { buttons: old, ...rest } = before;
    const { entry } = await room.mailbox.put({ ...rest, text, ...(buttons ? { buttons } : {}) }, 'soon');
    const hasGrown = text.startsWith(before.text) && JSON.stringify(old) === JSON.stringify(buttons);
    const frame: ServerFrame = hasGrown
      ? { type: 'delta', seq: entry.seq, id, append: text.slice(before.text.length) }
      : { type: 'edit', seq: entry.seq, id, text, ...(buttons ? { buttons } : {}) };
    for (const viewer of room.viewers) viewer.show(frame);
  }
}
