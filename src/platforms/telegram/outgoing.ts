// What we send: texts in parts, edits, files. A text that Telegram refuses to format goes out plain, never not at all.
import { InputFile } from 'grammy';
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { Turns } from '../../base/turns.ts';
import { type Heeding, Limits } from '../limits.ts';
import { sendParts, wholePart, withSentIds } from '../message-parts.ts';
import type { Chat, LimitHandling, OutgoingFileMessage, OutgoingText, Sent } from '../platform.ts';
import { Recent } from '../recent.ts';
import { capabilities, MAX_CAPTION, MAX_PHOTO } from './capabilities.ts';
import type { Client } from './client.ts';
import { isUnchanged, limited } from './faults.ts';
import { renderHtml } from './render.ts';

const sentShape = z.object({ message_id: z.int() });
const UPLOAD_MS = 10 * 60_000;
const MOST_MOVED = 1000;
const IMAGE = /\.(?:jpe?g|png|webp)$/i;

type Formatted = { readonly text: string; readonly parse_mode?: 'HTML' };

export class Outgoing {
  readonly #client: Client;
  readonly #limits: Limits;
  readonly #turns = new Turns();
  /** Groups that became supergroups, by their old ids. */
  readonly #moved = new Recent<string>(MOST_MOVED);

  constructor(client: Client) {
    this.#client = client;
    this.#limits = new Limits(client.clock, limited);
  }

  send(chat: Chat, message: OutgoingText): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendParts(chat, message));
  }

  async edit(chat: Chat, messageId: string, message: OutgoingText): Promise<void> {
    const { text, buttons } = wholePart(message, capabilities);
    const target = { message_id: Number(messageId), ...previewOff, ...keyboard(buttons) };
    const change = ({ chat_id }: Address): Promise<unknown> =>
      inPlainIfRefused(text, content =>
        this.#client.call('editMessageText', { chat_id, ...target, ...content }),
      );
    try {
      await this.#following(chat, { limit: 'report' }, change);
    } catch (error) {
      if (!isHermesError(error, 'USAGE_NOT_DELIVERED') || !isUnchanged(error)) throw error;
    }
  }

  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendFile(chat, file));
  }

  async typing(chat: Chat): Promise<void> {
    await this.#following(chat, { limit: 'report' }, address =>
      this.#client.call('sendChatAction', { ...address, action: 'typing' }),
    );
  }

  #sendParts(chat: Chat, message: OutgoingText): Promise<Sent> {
    return sendParts(message, capabilities, ({ text, buttons, limit }) =>
      this.#deliver({ chat, limit }, address =>
        inPlainIfRefused(text, content =>
          this.#client.call('sendMessage', { ...address, ...content, ...previewOff, ...keyboard(buttons) }),
        ),
      ),
    );
  }

  async #sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    const { name, bytes, caption = '', sentIds = [], limit = 'wait' } = file;
    if (bytes.length > capabilities.maxFileOut) throw tooLarge(name, bytes.length);
    const isShort = caption.length <= MAX_CAPTION;
    const upload = (method: 'sendPhoto' | 'sendDocument') => (address: Address) =>
      inPlainIfRefused(
        isShort ? caption : '',
        ({ text, parse_mode }) => {
          const field = method === 'sendPhoto' ? 'photo' : 'document';
          const words = text === '' ? {} : { caption: text, ...(parse_mode ? { parse_mode } : {}) };
          const params = { ...address, ...words, [field]: new InputFile(bytes, wireName(name)) };
          // The field is named by the method; TypeScript sees only a text.
          return this.#client.call(method, params as never, { timeoutMs: UPLOAD_MS });
        },
        MAX_CAPTION,
      );
    const [sent, ...further] = sentIds;
    const id =
      sent ??
      (await this.#asPhotoFirst({ name, bytes }, method => this.#deliver({ chat, limit }, upload(method))));
    if (isShort) return { ids: [id] };
    try {
      const { ids } = await this.#sendParts(chat, { text: caption, sentIds: further, limit });
      return { ids: [id, ...ids] };
    } catch (error) {
      const arrived = isHermesError(error) ? error.details['sentIds'] : undefined;
      throw withSentIds(error, [id, ...(Array.isArray(arrived) ? arrived : further)]);
    }
  }

  /** An image that Telegram takes for none, or finds too wide, is a document. */
  async #asPhotoFirst(
    { name, bytes }: OutgoingFileMessage,
    send: (method: 'sendPhoto' | 'sendDocument') => Promise<string>,
  ): Promise<string> {
    if (!IMAGE.test(name) || bytes.length > MAX_PHOTO) return send('sendDocument');
    try {
      return await send('sendPhoto');
    } catch (error) {
      if (isHermesError(error, 'USAGE_NOT_DELIVERED') && error.details['status'] === 400)
        return send('sendDocument');
      throw error;
    }
  }

  async #deliver(
    { chat, limit }: { readonly chat: Chat; readonly limit: LimitHandling },
    send: (address: Address) => Promise<unknown>,
  ): Promise<string> {
    return idOf(await this.#following(chat, { limit, signal: this.#client.closing }, send));
  }

  /** Heeds limits, and follows a group that got a new id. */
  async #following<T>(chat: Chat, heeding: Heeding, work: (address: Address) => Promise<T>): Promise<T> {
    const at = (id: string): Promise<T> =>
      this.#limits.heed(id, heeding, () => work({ ...addressOf(chat), chat_id: id }));
    const known = this.#moved.get(chat.id) ?? chat.id;
    try {
      return await at(known);
    } catch (error) {
      const movedTo = isHermesError(error) ? error.details['movedTo'] : undefined;
      if (typeof movedTo !== 'number') throw error;
      this.#moved.set(chat.id, String(movedTo));
      return at(String(movedTo));
    }
  }
}

interface Address {
  readonly chat_id: string;
  readonly message_thread_id?: number;
}

/** Telegram would fetch addresses in what the agent writes by itself, and could carry data out that way. */
const previewOff = { link_preview_options: { is_disabled: true } };

function addressOf({ id, thread }: Chat): Address {
  return { chat_id: id, ...(thread === undefined ? {} : { message_thread_id: Number(thread) }) };
}

function idOf(result: unknown): string {
  const { data } = sentShape.safeParse(result);
  if (data) return String(data.message_id);
  throw new HermesError('UNAVAILABLE_PLATFORM', 'Telegram took a message and did not say its id.', {
    details: { mayBeDelivered: true },
  });
}

/** Formatted first; refused with 400, whatever the reason, it is tried as it is. */
async function inPlainIfRefused<T>(
  text: string,
  send: (content: Formatted) => Promise<T>,
  limit = capabilities.maxText,
): Promise<T> {
  const html = renderHtml(text, limit);
  if (html === undefined) return send({ text });
  try {
    return await send({ text: html, parse_mode: 'HTML' });
  } catch (error) {
    const isRefused = isHermesError(error, 'USAGE_NOT_DELIVERED') && error.details['status'] === 400;
    if (!isRefused || isUnchanged(error) || error.details['movedTo'] !== undefined) throw error;
    return send({ text });
  }
}

/** On an edit no buttons means that there are none any more. */
function keyboard(buttons: OutgoingText['buttons'] = []): object {
  const rows = buttons.map(row => row.map(({ label, data }) => ({ text: label, callback_data: data })));
  return rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
}

/** grammY writes the name into a header without quotes. */
function wireName(name: string): string {
  return name.replace(/[\p{Cc}";\\]+/gu, '_') || 'file';
}

function tooLarge(name: string, size: number): HermesError {
  const mib = capabilities.maxFileOut / 1024 / 1024;
  const message = `${name} has ${Math.ceil(size / 1024 / 1024)} MB; bots can send at most ${mib} MB over Telegram. Make it smaller, or send it in parts.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, {
    details: { name, size, most: capabilities.maxFileOut },
  });
}
