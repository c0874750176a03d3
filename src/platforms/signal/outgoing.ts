// What we send: texts in parts, with reactions to answer by, and files. A text whose styles are refused goes out plain.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { Turns } from '../../base/turns.ts';
import { sendParts, withSentIds } from '../message-parts.ts';
import type { Chat, LimitHandling, OutgoingFileMessage, OutgoingText, Sent } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import type { Cards } from './cards.ts';
import type { Client, Params } from './client.ts';
import { sendFault, unreadable } from './faults.ts';
import { fileRequest } from './file-request.ts';
import { Limit } from './limit.ts';
import type { OwnMessages } from './own-messages.ts';
import { legendOf, marksOf } from './reactions.ts';
import { render } from './render.ts';

const sentShape = z.object({ timestamp: z.int().positive() });
const UPLOAD_MS = 10 * 60_000;
/** What older daemons can read of a request; they break at more. */
const OLD_LIMIT = 14 * 1024 * 1024;
/** An error in the daemon itself, and two ways of not being able to read. */
const UNREAD = [-32_603, -32_700, -32_600];
/** Of a caption; what is longer follows as text. */
const LONGEST_CAPTION = 2000;

export interface OutgoingOptions {
  readonly client: Client;
  readonly cards: Cards;
  readonly own: OwnMessages;
  /** Whether the chat is the one of our account with itself. */
  readonly isOwnChat: (chat: Chat) => boolean;
}

export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #limit: Limit;
  readonly #turns = new Turns();

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#limit = new Limit(options.client.clock);
  }

  send(chat: Chat, message: OutgoingText): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendParts(chat, message));
  }

  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    return this.#turns.in(chat.id, () => this.#sendFile(chat, file));
  }

  async typing(chat: Chat): Promise<void> {
    // Nobody sees themselves type.
    if (this.#options.isOwnChat(chat)) return;
    const params = this.#addressOf(chat);
    await this.#limit.heed({ limit: 'report' }, () => this.#options.client.call('sendTyping', params));
  }

  #sendParts(chat: Chat, message: OutgoingText): Promise<Sent> {
    return sendParts(message, capabilities, async ({ text, buttons = [], limit }) => {
      const marks = marksOf(buttons);
      const legend = legendOf(marks);
      const whole = legend === '' ? text : `${text}\n\n${legend}`;
      if (whole.length <= capabilities.maxText) {
        return this.#options.cards.sent(chat, marks, () => this.#sendText({ chat, limit }, whole));
      }
      await this.#sendText({ chat, limit }, text);
      return this.#options.cards.sent(chat, marks, () => this.#sendText({ chat, limit: 'wait' }, legend));
    });
  }

  /** Styled first; refused by the daemon itself it is tried as it is. */
  async #sendText(to: Heeded, text: string): Promise<string> {
    const rendered = render(text, capabilities.maxText) ?? { text, styles: [] };
    const send = (words: string, params: Params): Promise<string> =>
      this.#deliver(to, words, () =>
        this.#options.client.call('send', { ...this.#addressOf(to.chat), message: words, ...params }),
      );
    if (rendered.styles.length === 0) return send(rendered.text, {});
    try {
      return await send(rendered.text, { textStyle: rendered.styles });
    } catch (error) {
      const isRefused = isHermesError(error, 'USAGE_NOT_DELIVERED') && error.details['status'] === -1;
      if (!isRefused) throw error;
      return send(text, {});
    }
  }

  async #sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    const { name, bytes, caption = '', sentIds = [], limit = 'wait' } = file;
    if (bytes.length > capabilities.maxFileOut) throw tooLarge(name, bytes.length);
    const words = render(caption, LONGEST_CAPTION) ?? { text: caption, styles: [] };
    const isShort = words.text.length <= LONGEST_CAPTION;
    const [sent, ...further] = sentIds;
    const id = sent ?? (await this.#upload(chat, file, isShort ? words : { text: '', styles: [] }));
    if (isShort) return { ids: [id] };
    try {
      const { ids } = await this.#sendParts(chat, { text: caption, sentIds: further, limit });
      return { ids: [id, ...ids] };
    } catch (error) {
      const arrived = isHermesError(error) ? error.details['sentIds'] : undefined;
      throw withSentIds(error, [id, ...(Array.isArray(arrived) ? arrived : further)]);
    }
  }

  #upload(
    chat: Chat,
    { name, bytes, limit = 'wait' }: OutgoingFileMessage,
    { text, styles }: { readonly text: string; readonly styles: readonly string[] },
  ): Promise<string> {
    const { client } = this.#options;
    const params = {
      ...this.#addressOf(chat),
      message: text,
      ...(styles.length > 0 ? { textStyle: styles } : {}),
    };
    return this.#deliver({ chat, limit }, text, async () => {
      const body = fileRequest(
        attachment => client.requestFor('send', { ...params, attachment }),
        name,
        bytes,
      );
      try {
        return await client.post('send', body, { timeoutMs: UPLOAD_MS }, response =>
          client.readResult('send', response),
        );
      } catch (error) {
        throw bytes.length > OLD_LIMIT ? orTooOld(error, name) : error;
      }
    });
  }

  /** What goes to ourselves is known when it comes back. */
  async #deliver({ chat, limit }: Heeded, text: string, send: () => Promise<unknown>): Promise<string> {
    const { client, own, isOwnChat } = this.#options;
    const deliver = async (): Promise<number> => {
      const result = await send();
      const fault = sendFault(result, { method: 'send', endpoint: client.endpoint });
      if (fault) throw fault;
      const { data } = sentShape.safeParse(result);
      if (!data) throw unreadable('send', client.endpoint);
      return data.timestamp;
    };
    const heeding = { limit, signal: client.closing };
    return this.#limit.heed(heeding, async () =>
      String(await (isOwnChat(chat) ? own.sent(text, deliver) : deliver())),
    );
  }

  #addressOf(chat: Chat): Params {
    if (chat.kind === 'group') return { groupId: chat.id };
    return this.#options.isOwnChat(chat) ? { noteToSelf: true } : { recipient: [chat.id] };
  }
}

interface Heeded {
  readonly chat: Chat;
  readonly limit: LimitHandling;
}

/** What breaks at a large file will break again. */
function orTooOld(error: unknown, name: string): unknown {
  const status = isHermesError(error, 'UNAVAILABLE_PLATFORM') ? error.details['status'] : undefined;
  if (typeof status !== 'number' || !UNREAD.includes(status)) return error;
  const message = `signal-cli could not take ${name}: before October 2026 it reads no more than 15 MB. Update it, or send a smaller file.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details: { name, status }, cause: error });
}

function tooLarge(name: string, size: number): HermesError {
  const most = capabilities.maxFileOut;
  const message = `${name} has ${Math.ceil(size / 1024 / 1024)} MB; Signal carries at most ${most / 1024 / 1024} MB. Make it smaller, or send it in parts.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, { details: { name, size, most } });
}
