// What we send: texts in parts, files by way of an upload, the sign that somebody works. Where WhatsApp allows nothing but a
// template any more, the template goes, if there is one.
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { Turns } from '../../base/turns.ts';
import { Limits } from '../limits.ts';
import { sendParts, withSentIds } from '../message-parts.ts';
import type {
  Chat,
  LimitHandling,
  OutgoingFileMessage,
  OutgoingText,
  Sent,
  Undelivered,
} from '../platform.ts';
import { Recent } from '../recent.ts';
import { capabilities, MAX_CAPTION } from './capabilities.ts';
import {
  addressOf,
  type Content,
  contentsOf,
  fileContent,
  fileName,
  shownText,
  type Template,
  templateContent,
  templateText,
  textContent,
} from './contents.ts';
import { isBadMedia, isWindowClosed, lateFault, limited, strangeAnswer, windowFault } from './faults.ts';
import type { Graph } from './graph.ts';
import { ANY_FILE, type MediaType, mediaTypeOf } from './media-types.ts';
import type { FailedStatus } from './parse.ts';

const sentShape = z.object({ messages: z.tuple([z.object({ id: z.string() })], z.unknown()) });
const uploadedShape = z.object({ id: z.string() });
const UPLOAD_MS = 10 * 60_000;
/** Templates cost money, and more of them say no more. */
const TEMPLATE_EVERY_MS = 10 * 60_000;
const REMEMBERED = 500;
/** It goes away after 25 s. */
const TYPING_SHOWN_MS = 20_000;

export interface OutgoingOptions {
  readonly graph: Graph;
  readonly log: Log;
  readonly template: Template | undefined;
}

/** A message that WhatsApp accepted; whether it arrives is reported later. */
interface Accepted {
  readonly chat: Chat;
  /** What a template says in its place. */
  readonly text: string;
  /** The name of the file that it is. */
  readonly file?: string;
  /** The id by which callers know it. */
  readonly messageId: string;
}

export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #limits: Limits;
  readonly #turns = new Turns();
  readonly #accepted = new Recent<Accepted>(REMEMBERED);
  readonly #sending = new Set<Promise<unknown>>();
  /** By the id of the message: a report comes again until it is answered, and sometimes after that. */
  readonly #failures = new Recent<Promise<Undelivered | undefined>>(REMEMBERED);
  readonly #templated = new Recent<number>(REMEMBERED);
  readonly #typing = new Recent<{ readonly messageId: string; readonly until: number }>(REMEMBERED);

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#limits = new Limits(options.graph.clock, limited);
  }

  send(chat: Chat, message: OutgoingText): Promise<Sent> {
    return this.#inTurn(chat, () => this.#sendParts(chat, message));
  }

  sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    return this.#inTurn(chat, () => this.#sendFile(chat, file));
  }

  /** Under the message that it answers. */
  async reply(chat: Chat, messageId: string, text: string): Promise<void> {
    await this.#post({ chat, limit: 'wait' }, { ...textContent(text), context: { message_id: messageId } });
  }

  /** Marks the message as read, and shows that somebody writes, until something is sent. */
  async typing(chat: Chat, messageId: string): Promise<void> {
    const { graph } = this.#options;
    const now = graph.clock.monotonic();
    const shown = this.#typing.get(chat.id);
    if (shown?.messageId === messageId && now < shown.until) return;
    this.#typing.set(chat.id, { messageId, until: now + TYPING_SHOWN_MS });
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: messageId };
    const path = `${graph.endpoint.phoneNumberId}/messages`;
    await graph.call({
      what: 'a sign of typing',
      path,
      body: { ...body, typing_indicator: { type: 'text' } },
    });
  }

  /** The report for the caller; undefined when a template carries the message after all. */
  failed(status: FailedStatus): Promise<Undelivered | undefined> {
    const known = this.#failures.get(status.id);
    if (known) return known;
    const failure = this.#failed(status);
    this.#failures.set(status.id, failure);
    // What nobody foresaw is tried again when the report comes again.
    failure.catch(() => this.#failures.delete(status.id));
    return failure;
  }

  async #failed({ id, code, reason }: FailedStatus): Promise<Undelivered | undefined> {
    // The report may come before the answer that has the id.
    if (!this.#accepted.has(id)) await Promise.all(this.#sending);
    const accepted = this.#accepted.get(id);
    const fault = lateFault(code, reason);
    this.#options.log.warn({ code, chat: accepted?.chat.id }, fault.message);
    const problem = accepted && isWindowClosed(fault) ? await this.#replace(accepted, fault) : fault.message;
    return problem === undefined ? undefined : { messageId: accepted?.messageId ?? id, problem };
  }

  /** Sends a template; returns what is still undelivered. */
  async #replace(accepted: Accepted, fault: HermesError): Promise<string | undefined> {
    const { chat, text, file } = accepted;
    try {
      const id = await this.#turns.in(chat.id, () => this.#sendTemplate(chat, text, fault));
      this.#accepted.set(id, accepted);
      return file === undefined ? undefined : announced(fault, file).message;
    } catch (error) {
      if (!isHermesError(error)) throw error;
      return error.message;
    }
  }

  async #inTurn(chat: Chat, send: () => Promise<Sent>): Promise<Sent> {
    const sent = this.#turns.in(chat.id, send);
    const settled = Promise.allSettled([sent]);
    this.#sending.add(settled);
    try {
      return await sent;
    } finally {
      this.#sending.delete(settled);
    }
  }

  #sendParts(chat: Chat, message: OutgoingText): Promise<Sent> {
    return sendParts(message, capabilities, async ({ text, buttons = [], limit }) => {
      const ids: string[] = [];
      for (const content of contentsOf(text, buttons.flat(), chat)) {
        const heeding = { chat, limit: ids.length === 0 ? limit : 'wait' } as const;
        ids.push(await this.#deliver(heeding, content, text));
      }
      const messageId = ids.at(-1) ?? '';
      for (const id of ids) this.#accepted.set(id, { chat, text, messageId });
      return messageId;
    });
  }

  async #sendFile(chat: Chat, file: OutgoingFileMessage): Promise<Sent> {
    const { name, bytes, caption = '', sentIds = [], limit = 'wait' } = file;
    if (bytes.length > capabilities.maxFileOut) throw tooLarge(name, bytes.length);
    const type = mediaTypeOf(name, bytes.length);
    const shown = shownText(caption, MAX_CAPTION);
    const isUnder = shown.length <= MAX_CAPTION && type.kind !== 'audio';
    const [sent, ...further] = sentIds;
    const id = sent ?? (await this.#sendAs(chat, { ...file, caption: isUnder ? shown : '' }, type));
    if (isUnder || caption.trim() === '') return { ids: [id] };
    try {
      const { ids } = await this.#sendParts(chat, { text: caption, sentIds: further, limit });
      return { ids: [id, ...ids] };
    } catch (error) {
      const arrived = isHermesError(error) ? error.details['sentIds'] : undefined;
      throw withSentIds(error, [id, ...(Array.isArray(arrived) ? arrived : further)]);
    }
  }

  /** A picture that WhatsApp takes for none is a document. */
  async #sendAs(chat: Chat, file: OutgoingFileMessage, type: MediaType): Promise<string> {
    try {
      return await this.#upload(chat, file, type);
    } catch (error) {
      if (!isHermesError(error) || !isBadMedia(error) || type.kind === 'document') throw error;
      return this.#upload(chat, file, ANY_FILE);
    }
  }

  async #upload(
    chat: Chat,
    { name, bytes, caption = '', limit = 'wait' }: OutgoingFileMessage,
    type: MediaType,
  ): Promise<string> {
    const { graph } = this.#options;
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', type.mime);
    // A copy of its own: a view of shared memory is no part of a form.
    form.set('file', new Blob([Uint8Array.from(bytes)], { type: type.mime }), fileName(name));
    const path = `${graph.endpoint.phoneNumberId}/media`;
    const uploaded = await this.#patiently({ chat, limit }, () =>
      graph.call({ what: 'a file', path, body: form, timeoutMs: UPLOAD_MS }),
    );
    const { data } = uploadedShape.safeParse(uploaded);
    if (!data) throw strangeAnswer('a file', graph.endpoint);
    const content = fileContent({ kind: type.kind, mediaId: data.id, name, caption });
    try {
      const messageId = await this.#post({ chat, limit }, content);
      this.#accepted.set(messageId, { chat, text: caption || name, file: name, messageId });
      return messageId;
    } catch (error) {
      if (!isHermesError(error) || !isWindowClosed(error)) throw error;
      await this.#sendTemplate(chat, caption || name, error);
      throw announced(error, name);
    }
  }

  async #deliver(to: Heeded, content: Content, text: string): Promise<string> {
    try {
      return await this.#post(to, content);
    } catch (error) {
      if (!isHermesError(error) || !isWindowClosed(error)) throw error;
      return this.#sendTemplate(to.chat, text, error);
    }
  }

  /** Throws `reason` where there is no template, or there was one a moment ago; says so where not all of the text fitted. */
  async #sendTemplate(chat: Chat, said: string, reason: HermesError): Promise<string> {
    const { template, graph } = this.#options;
    const now = graph.clock.monotonic();
    const last = this.#templated.get(chat.id) ?? Number.NEGATIVE_INFINITY;
    if (!template || chat.kind === 'group' || now - last < TEMPLATE_EVERY_MS) throw reason;
    const { text, isWhole } = templateText(shownText(said));
    const id = await this.#post({ chat, limit: 'wait' }, templateContent(template, text));
    this.#templated.set(chat.id, now);
    if (isWhole) return id;
    throw windowFault(
      `${reason.message} The template ${template.name} took the beginning of it; the rest was not sent.`,
      reason,
    );
  }

  #patiently<T>({ chat, limit }: Heeded, work: () => Promise<T>): Promise<T> {
    return this.#limits.heed(chat.id, { limit, signal: this.#options.graph.closing }, work);
  }

  async #post(to: Heeded, content: Content): Promise<string> {
    const { graph } = this.#options;
    const path = `${graph.endpoint.phoneNumberId}/messages`;
    const body = { ...addressOf(to.chat), ...content };
    const answer = await this.#patiently(to, () => graph.call({ what: 'a message', path, body }));
    this.#typing.set(to.chat.id, { messageId: '', until: 0 });
    const { data } = sentShape.safeParse(answer);
    if (data) return data.messages[0].id;
    throw strangeAnswer('a message', graph.endpoint);
  }
}

interface Heeded {
  readonly chat: Chat;
  readonly limit: LimitHandling;
}

/** A template has said that there is a file. */
function announced(fault: HermesError, name: string): HermesError {
  const message = `${fault.message} A template was sent in place of ${name}; send it again when they have answered.`;
  return windowFault(message, fault);
}

function tooLarge(name: string, size: number): HermesError {
  const mib = capabilities.maxFileOut / 1024 / 1024;
  const message = `${name} has ${Math.ceil(size / 1024 / 1024)} MB; WhatsApp takes at most ${mib} MB. Make it smaller, or send it in parts.`;
  return new HermesError('USAGE_NOT_DELIVERED', message, {
    details: { name, size, most: capabilities.maxFileOut },
  });
}
