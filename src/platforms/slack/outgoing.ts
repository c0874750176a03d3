// What we send: texts in parts, edits, files. In order for each chat, within Slack's limits.
import { HermesError, isHermesError } from '../../base/errors.ts';
import { Turns } from '../../base/turns.ts';
import { type Heeding, Limits } from '../limits.ts';
import { type LeavingPart, sendParts, wholePart, withSentIds } from '../message-parts.ts';
import type { Chat, LimitHandling, OutgoingFileMessage, OutgoingText, Sent } from '../platform.ts';
import { type Body, bodiesOf, pagesOf } from './blocks.ts';
import { capabilities, MAX_CAPTION } from './capabilities.ts';
import type { Client } from './client.ts';
import { limited, unseen } from './faults.ts';
import { type Page, PageBook } from './pages.ts';
import { change, post, remove } from './post.ts';
import { escapeMrkdwn, renderMrkdwn } from './render.ts';
import type { Rooms } from './rooms.ts';
import { upload } from './upload.ts';

export class Outgoing {
  readonly #client: Client;
  readonly #rooms: Rooms;
  readonly #limits: Limits;
  readonly #book = new PageBook();
  readonly #turns = new Turns();

  constructor(client: Client, rooms: Rooms) {
    this.#client = client;
    this.#rooms = rooms;
    this.#limits = new Limits(client.clock, limited);
  }

  send(chat: Chat, message: OutgoingText): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendParts(chat, message));
  }

  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendFile(chat, file));
  }

  edit(chat: Chat, messageId: string, message: OutgoingText): Promise<void> {
    const { text, buttons } = wholePart(message, capabilities);
    return this.#turns.in(`edit ${chat.id} ${messageId}`, async () => {
      const channel = await this.#patiently(chat, 'report', () => unseen(this.#rooms.channelOf(chat)));
      await this.#change({ chat, channel, messageId }, pagesOf(text, buttons));
    });
  }

  #sendParts(chat: Chat, message: OutgoingText): Promise<Sent> {
    return sendParts(message, capabilities, part => this.#post(chat, part));
  }

  async #post(chat: Chat, { text, buttons, limit }: LeavingPart): Promise<string> {
    const channel = await this.#patiently(chat, limit, () => unseen(this.#rooms.channelOf(chat)));
    const pages: Page[] = [];
    for (const body of bodiesOf(text, buttons)) {
      const ts = await this.#postBody({ chat, channel }, body, pages.length === 0 ? limit : 'wait');
      pages.push({ ts, shown: shownBy(body) });
    }
    const id = pages.at(-1)?.ts ?? '';
    this.#book.keep(channel, id, pages);
    return id;
  }

  /** Page by page: what is there is changed, what is missing is posted, what is too much is taken away. */
  async #change(
    { chat, channel, messageId }: { chat: Chat; channel: string; messageId: string },
    bodies: readonly Body[],
  ): Promise<void> {
    const before = this.#book.of(channel, messageId);
    const after: Page[] = [];
    try {
      for (const [at, body] of bodies.entries()) {
        const page = before[at];
        const shown = shownBy(body);
        if (page === undefined) {
          after.push({ ts: await this.#postBody({ chat, channel }, body), shown });
          continue;
        }
        if (page.shown !== shown) {
          await this.#patiently(chat, 'report', () => change(this.#client, { channel, ts: page.ts }, body));
        }
        after.push({ ts: page.ts, shown });
      }
      for (const { ts } of before.slice(bodies.length)) await remove(this.#client, channel, ts);
      this.#book.keep(channel, messageId, after);
    } catch (error) {
      // The one that failed may show anything now.
      const rest = before.slice(after.length).map(({ ts }) => ({ ts, shown: undefined }));
      this.#book.keep(channel, messageId, [...after, ...rest]);
      throw error;
    }
  }

  #postBody(
    { chat, channel }: { chat: Chat; channel: string },
    body: Body,
    limit: LimitHandling = 'wait',
  ): Promise<string> {
    const place = { channel, thread: chat.thread };
    return this.#patiently(chat, limit, () => post(this.#client, place, body));
  }

  async #sendFile(
    chat: Chat,
    { name, bytes, caption = '', sentIds = [], limit = 'wait' }: OutgoingFileMessage,
  ): Promise<Sent> {
    checkSize(name, bytes.length);
    const comment = caption === '' ? '' : (renderMrkdwn(caption) ?? escapeMrkdwn(caption));
    const isShort = comment.length <= MAX_CAPTION;
    const [sent, ...further] = sentIds;
    const send = async (): Promise<string> => {
      const channel = await unseen(this.#rooms.channelOf(chat));
      const words = isShort && comment !== '' ? { comment } : {};
      return upload(this.#client, { name, bytes, channel, thread: chat.thread, ...words });
    };
    const id = sent ?? (await this.#patiently(chat, limit, send));
    if (isShort) return { ids: [id] };
    try {
      const { ids } = await this.#sendParts(chat, { text: caption, sentIds: further, limit });
      return { ids: [id, ...ids] };
    } catch (error) {
      const arrived = isHermesError(error) ? error.details['sentIds'] : undefined;
      throw withSentIds(error, [id, ...(Array.isArray(arrived) ? arrived : further)]);
    }
  }

  #patiently<T>(chat: Chat, limit: Heeding['limit'], work: () => Promise<T>): Promise<T> {
    return this.#limits.heed(chat.id, { limit, signal: this.#client.closing }, work);
  }
}

function shownBy({ whole, blocks }: Body): string {
  return blocks.length > 0 ? JSON.stringify(blocks) : whole;
}

function checkSize(name: string, size: number): void {
  const { maxFileOut } = capabilities;
  const details = { name, size, most: maxFileOut };
  if (size === 0) {
    throw new HermesError('USAGE_NOT_DELIVERED', `${name} is empty, and Slack takes no empty files.`, {
      details,
    });
  }
  if (size <= maxFileOut) return;
  const message = `${name} has ${Math.ceil(size / 1024 / 1024)} MB; at most ${maxFileOut / 1024 / 1024} MB are sent to Slack. Make it smaller, or send it in parts.`;
  throw new HermesError('USAGE_NOT_DELIVERED', message, { details });
}
