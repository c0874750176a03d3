// What we send: texts in parts, edits, files, the sign of typing. Nothing that is sent pings anybody or is looked at by
// Discord's preview of links.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import { Turns } from '../../base/turns.ts';
import type { Limits } from '../limits.ts';
import { sendParts, wholePart, withSentIds } from '../message-parts.ts';
import type { Chat, LimitHandling, OutgoingFileMessage, OutgoingText, Sent } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import type { Channels } from './channels.ts';
import type { Call, Client } from './client.ts';
import { UNKNOWN_CHANNEL } from './faults.ts';
import { sentShape } from './payload.ts';
import { renderMarkdown } from './render.ts';

const UPLOAD_MS = 10 * 60_000;
/** Discord would fetch addresses in what the agent writes by itself, and could carry data out that way. */
const NO_PREVIEWS = 1 << 2;
const BUTTONS_IN_ROW = 5;
const LONGEST_LABEL = 80;
const ROW = 1;
const BUTTON = 2;
const GREY = 2;

const channelId = z.string().regex(/^\d{1,20}$/);

export class Outgoing {
  readonly #client: Client;
  readonly #channels: Channels;
  readonly #limits: Limits;
  readonly #turns = new Turns();

  constructor(client: Client, channels: Channels, limits: Limits) {
    this.#client = client;
    this.#channels = channels;
    this.#limits = limits;
  }

  send(chat: Chat, message: OutgoingText): Promise<Sent> {
    return this.#turns.in(keyOf(chat), () => this.#sendParts(chat, message));
  }

  async edit(chat: Chat, messageId: string, message: OutgoingText): Promise<void> {
    const { text, buttons } = wholePart(message, capabilities);
    const channel = this.#channels.now(chat);
    const path = `/channels/${checked(channel)}/messages/${checked(messageId)}` as const;
    const body = { ...contentOf(text), components: rowsOf(buttons) };
    await this.#limits.heed(channel, { limit: 'report' }, () =>
      this.#client.call({ method: 'PATCH', path, what: 'change a message', body }),
    );
  }

  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    return this.#turns.in(keyOf(chat), () => this.#sendFile(chat, file));
  }

  async typing(chat: Chat): Promise<void> {
    const channel = this.#channels.now(chat);
    const path = `/channels/${checked(channel)}/typing` as const;
    await this.#limits.heed(channel, { limit: 'report' }, () =>
      this.#client.call({ method: 'POST', path, what: 'show that it is typing' }),
    );
  }

  #sendParts(chat: Chat, message: OutgoingText): Promise<Sent> {
    return sendParts(message, capabilities, ({ text, buttons, limit }) =>
      this.#deliver(
        { chat, limit },
        {
          what: 'send a message',
          body: { ...contentOf(text), ...(buttons ? { components: rowsOf(buttons) } : {}) },
        },
      ),
    );
  }

  async #sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    const { name, bytes, caption = '', sentIds = [], limit = 'wait' } = file;
    if (bytes.length > capabilities.maxFileOut) throw tooLarge(name, bytes.length);
    const isShort = caption.length <= capabilities.maxText;
    const [sent, ...further] = sentIds;
    const id =
      sent ??
      (await this.#deliver(
        { chat, limit },
        {
          what: 'send a file',
          body: isShort && caption.trim() !== '' ? contentOf(caption) : { flags: NO_PREVIEWS },
          file: { name: wireName(name), bytes },
          timeoutMs: UPLOAD_MS,
        },
      ));
    if (isShort) return { ids: [id] };
    try {
      const { ids } = await this.#sendParts(chat, { text: caption, sentIds: further, limit });
      return { ids: [id, ...ids] };
    } catch (error) {
      const arrived = isHermesError(error) ? error.details['sentIds'] : undefined;
      throw withSentIds(error, [id, ...(Array.isArray(arrived) ? arrived : further)]);
    }
  }

  /** A channel that is not there yet is opened. */
  async #deliver(
    { chat, limit }: { readonly chat: Chat; readonly limit: LimitHandling },
    call: Omit<Call, 'method' | 'path'>,
  ): Promise<string> {
    const heeding = { limit, signal: this.#client.closing };
    const post = async (channel: string): Promise<string> => {
      const path = `/channels/${checked(channel)}/messages` as const;
      return idOf(
        await this.#limits.heed(channel, heeding, () => this.#client.call({ method: 'POST', path, ...call })),
      );
    };
    const channel = await this.#limits.heed(chat.id, heeding, () => this.#channels.of(chat));
    try {
      return await post(channel);
    } catch (error) {
      const isMissing =
        isHermesError(error, 'USAGE_NOT_DELIVERED') && error.details['code'] === UNKNOWN_CHANNEL;
      const opened = isMissing ? await this.#channels.instead(chat) : undefined;
      if (opened === undefined) throw error;
      return post(opened);
    }
  }
}

function keyOf({ id, thread }: Chat): string {
  return thread ?? id;
}

/** Nothing but ids of Discord's gets into an address. */
function checked(id: string): string {
  if (channelId.safeParse(id).success) return id;
  throw new HermesError('USAGE_NOT_DELIVERED', 'Discord has no chat or message of this id.');
}

function contentOf(text: string): object {
  const content = renderMarkdown(text, capabilities.maxText) ?? text;
  return { content: content.toWellFormed(), flags: NO_PREVIEWS, allowed_mentions: { parse: [] } };
}

/** Rows of at most five; none on an edit means that there are none any more. */
function rowsOf(buttons: OutgoingText['buttons'] = []): readonly object[] {
  const rows = buttons.flatMap(row =>
    Array.from({ length: Math.ceil(row.length / BUTTONS_IN_ROW) }, (_, at) =>
      row.slice(at * BUTTONS_IN_ROW, (at + 1) * BUTTONS_IN_ROW),
    ),
  );
  return rows.map(row => ({
    type: ROW,
    components: row.map(({ label, data }) => ({
      type: BUTTON,
      style: GREY,
      label: label.slice(0, LONGEST_LABEL).toWellFormed(),
      custom_id: data,
    })),
  }));
}

function idOf(answer: unknown): string {
  const { data } = sentShape.safeParse(answer);
  if (data) return data.id;
  throw new HermesError('UNAVAILABLE_PLATFORM', 'Discord took a message and did not say its id.', {
    details: { mayBeDelivered: true },
  });
}

function wireName(name: string): string {
  return name.replace(/[\p{Cc}"\\/]+/gu, '_').toWellFormed() || 'file';
}

function tooLarge(name: string, size: number): HermesError {
  const mib = capabilities.maxFileOut / 1024 / 1024;
  const message = `${name} has ${Math.ceil(size / 1024 / 1024)} MB; bots can send at most ${mib} MB over Discord. Make it smaller, or send it in parts.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, {
    details: { name, size, most: capabilities.maxFileOut },
  });
}
