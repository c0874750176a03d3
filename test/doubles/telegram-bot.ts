// The state of the double: one bot, its updates, its messages, its files, and what each method of the API does to them.
// Its limits are those of core.telegram.org/bots/faq (`My bot is hitting limits`): about one message per second in a chat with
// short bursts, 20 per minute in a group; above it comes 429 with `parameters.retry_after` (core.telegram.org/bots/api,
// ResponseParameters). A press must be answered within seconds; after that the answer is the 400 of QUERY_ID_INVALID
// (tdlib/telegram-bot-api, Client.cpp). How long exactly is not documented: 15 s is what clients observe.
import type { Clock } from '../../src/base/clock.ts';
import type { FormFile } from './multipart.ts';
import {
  bustleUpdates,
  chatOf,
  entitiesOf,
  filePart,
  type Params,
  type Person,
  type Place,
  readButtons,
  readText,
  type SayOptions,
  type SentMessage,
  userOf,
} from './telegram-chat.ts';
import { CONFLICT, type Refusal, refusalOf } from './telegram-faults.ts';
import { BadFormatting } from './telegram-html.ts';
import { updateQueue } from './telegram-updates.ts';
import { TokenBuckets } from './token-bucket.ts';

type Outcome = { readonly result: unknown } | { readonly refusal: Refusal };

const MIB = 1024 * 1024;
const LARGEST_IN = 20 * MIB;
const LARGEST_OUT = 50 * MIB;
const UPLOADS: Readonly<Record<string, string>> = { sendDocument: 'document', sendPhoto: 'photo' };
const UNCHANGED =
  'Bad Request: message is not modified: specified new message content and reply markup are exactly the same';

const TOO_OLD = 'Bad Request: query is too old and response timeout expired or query ID is invalid';
const PRESS_MS = 15_000;

const bad = (description: string, status = 400): Outcome => ({ refusal: { status, description } });
const done: Outcome = { result: true };

export class TelegramBot {
  readonly account: { readonly id: number; readonly username: string };
  /** Called whenever something was sent or edited. */
  readonly watchers = new Set<() => void>();
  readonly #updates = updateQueue();
  readonly #clock: Clock;
  readonly #perChat: TokenBuckets;
  readonly #perGroup: TokenBuckets;
  /** When each press was, by its id. */
  readonly #presses = new Map<string, number>();
  /** Groups that became supergroups: the old id and the new one. */
  readonly #migrated = new Map<string, number>();
  readonly #sent = new Map<string, SentMessage>();
  readonly #files = new Map<string, Uint8Array>();
  #webhook = '';
  #nextId = 1;

  constructor(account: { id: number; username: string }, clock: Clock) {
    this.account = account;
    this.#clock = clock;
    this.#perChat = new TokenBuckets(clock, { most: 5, everyMs: 1000 });
    this.#perGroup = new TokenBuckets(clock, { most: 20, everyMs: 3000 });
  }

  get sent(): readonly SentMessage[] {
    return [...this.#sent.values()];
  }

  get unacknowledged(): number {
    return this.#updates.waiting;
  }

  file(path: string): Uint8Array | undefined {
    return this.#files.get(path);
  }

  async call(method: string, params: Params): Promise<Outcome> {
    try {
      return (await this.#methods[method]?.(params)) ?? bad('Not Found: method not found', 404);
    } catch (error) {
      if (error instanceof BadFormatting) return bad(`Bad Request: can't parse entities: ${error.message}`);
      throw error;
    }
  }

  say(from: Person, text: string, { chat: place, file, replyTo, edits }: SayOptions = {}): number {
    const chat: Place = place ?? { id: from.id, kind: 'private' };
    const id = edits ?? this.#nextId++;
    const replied = replyTo === undefined ? undefined : this.#sent.get(replyTo);
    const fileId = `f${id}`;
    if (file) this.#files.set(`files/${fileId}`, file.bytes);
    const entities = entitiesOf(text);
    this.#updates.add({
      [edits === undefined ? 'message' : 'edited_message']: {
        message_id: id,
        date: this.#seconds(),
        from: userOf(from),
        chat: chatOf(chat),
        ...(chat.thread === undefined ? {} : { message_thread_id: chat.thread, is_topic_message: true }),
        ...(replied ? { reply_to_message: this.#messageOf(replied) } : {}),
        ...(file
          ? { ...filePart(file, fileId), caption: text, caption_entities: entities }
          : { text, entities }),
      },
    });
    return id;
  }

  press(from: Person, messageId: string, data: string): string {
    const message = this.#sent.get(messageId);
    if (!message) throw new Error(`the bot has sent no message ${messageId}`);
    const id = String(this.#nextId++);
    const callback = { id, from: userOf(from), message: this.#messageOf(message), chat_instance: 'c', data };
    this.#presses.set(id, this.#clock.monotonic());
    this.#updates.add({ callback_query: callback });
    return id;
  }

  /** The group gets a new id, as it does when it becomes a supergroup. */
  migrate(from: number, to: number): void {
    this.#migrated.set(String(from), to);
    const news = { message_id: this.#nextId++, date: this.#seconds(), from: userOf({ id: 77 }) };
    this.#updates.add({
      message: { ...news, chat: chatOf({ id: from, kind: 'group' }), migrate_to_chat_id: to },
    });
  }

  /** What a bot sees of a chat besides what is said to it. */
  bustle(place: Place): void {
    const base = { message_id: this.#nextId++, date: this.#seconds(), chat: chatOf(place) };
    for (const update of bustleUpdates(base, this.account)) this.#updates.add(update);
  }

  push(update: unknown): void {
    const isObject = typeof update === 'object' && update !== null && !Array.isArray(update);
    if (isObject && !('update_id' in update)) this.#updates.add({ ...update });
    else this.#updates.addRaw(update);
  }

  repeatLast(): void {
    const { update_id: _, ...last } = this.#updates.last ?? {};
    this.#updates.add(last);
  }

  /** Ends a call that waits for updates. */
  release(): void {
    this.#updates.release();
  }

  readonly #methods: Readonly<Record<string, (params: Params) => Outcome | Promise<Outcome>>> = {
    getMe: () => ({ result: userOf({ ...this.account, name: 'Hermes', isBot: true }) }),
    getUpdates: params => this.#poll(params),
    sendMessage: params => this.#send('sendMessage', params),
    sendDocument: params => this.#send('sendDocument', params),
    sendPhoto: params => this.#send('sendPhoto', params),
    editMessageText: params => this.#edit(params),
    getFile: params => this.#findFile(params['file_id']),
    answerCallbackQuery: ({ callback_query_id }) => this.#answerPress(String(callback_query_id)),
    setMyCommands: () => done,
    sendChatAction: ({ chat_id }) => this.#moved(String(chat_id)) ?? done,
    getWebhookInfo: () => ({ result: { url: this.#webhook, pending_update_count: this.#updates.waiting } }),
    setWebhook: params => this.#setWebhook(String(params['url'])),
    deleteWebhook: () => this.#setWebhook(''),
  };

  #setWebhook(url: string): Outcome {
    this.#webhook = url;
    return done;
  }

  #send(method: string, params: Params): Outcome {
    const kind = UPLOADS[method];
    const seen = readText(params, kind === undefined ? 'text' : 'caption');
    if ('refused' in seen) return bad(seen.refused);
    const buttons = readButtons(params['reply_markup']);
    if (typeof buttons === 'string') return bad(buttons);
    const file = kind === undefined ? undefined : (params[kind] as FormFile | undefined); // read from the form
    if (kind !== undefined && file === undefined)
      return bad(`Bad Request: there is no ${kind} in the request`);
    if (file && file.bytes.length > LARGEST_OUT) return bad('Request Entity Too Large', 413);
    const refused = this.#moved(String(params['chat_id'])) ?? this.#limited(String(params['chat_id']));
    if (refused) return refused;
    const thread = params['message_thread_id'];
    return this.#keep({
      id: String(this.#nextId++),
      chat: String(params['chat_id']),
      ...(thread === undefined ? {} : { thread: String(thread) }),
      text: seen.text,
      versions: [seen.text],
      entities: seen.entities,
      buttons,
      ...(file && kind ? { file: { ...file, kind } } : {}),
    });
  }

  #answerPress(id: string): Outcome {
    const at = this.#presses.get(id);
    return at === undefined || this.#clock.monotonic() - at > PRESS_MS ? bad(TOO_OLD) : done;
  }

  #moved(chat: string): Outcome | undefined {
    const to = this.#migrated.get(chat);
    if (to === undefined) return undefined;
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    return { refusal: { status: 400, description, parameters: { migrate_to_chat_id: to } } };
  }

  #limited(chat: string): Outcome | undefined {
    const waitMs = (chat.startsWith('-') ? this.#perGroup : this.#perChat).take(chat);
    const refusal = waitMs > 0 ? refusalOf({ retryAfterSeconds: Math.ceil(waitMs / 1000) }) : undefined;
    return refusal && { refusal };
  }

  #seconds(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  #edit(params: Params): Outcome {
    const moved = this.#moved(String(params['chat_id']));
    if (moved) return moved;
    const old = this.#sent.get(String(params['message_id']));
    if (!old || old.chat !== String(params['chat_id'])) return bad('Bad Request: message to edit not found');
    const seen = readText(params, 'text');
    if ('refused' in seen) return bad(seen.refused);
    const buttons = readButtons(params['reply_markup']);
    if (typeof buttons === 'string') return bad(buttons);
    const next = { ...old, ...seen, buttons, versions: [...old.versions, seen.text] };
    const looks = ({ text, entities, ...rest }: SentMessage): string =>
      JSON.stringify([text, entities, rest.buttons]);
    return looks(old) === looks(next) ? bad(UNCHANGED) : this.#keep(next);
  }

  #keep(message: SentMessage): Outcome {
    this.#sent.set(message.id, message);
    for (const watcher of this.watchers) watcher();
    return { result: this.#messageOf(message) };
  }

  #messageOf(message: SentMessage): Params {
    return {
      message_id: Number(message.id),
      date: this.#seconds(),
      from: userOf({ ...this.account, name: 'Hermes', isBot: true }),
      chat: chatOf({ id: Number(message.chat), kind: Number(message.chat) < 0 ? 'group' : 'private' }),
      text: message.text,
    };
  }

  async #poll(params: Params): Promise<Outcome> {
    if (this.#webhook !== '')
      return bad("Conflict: can't use getUpdates method while webhook is active", 409);
    const number = (name: string, byDefault: number): number =>
      typeof params[name] === 'number' ? params[name] : byDefault;
    const given = await this.#updates.poll({
      offset: number('offset', 0),
      limit: number('limit', 100),
      timeoutMs: number('timeout', 0) * 1000,
    });
    return given === 'conflict' ? { refusal: CONFLICT } : { result: given };
  }

  #findFile(id: unknown): Outcome {
    const bytes = typeof id === 'string' ? this.#files.get(`files/${id}`) : undefined;
    if (bytes === undefined) return bad('Bad Request: wrong file_id or the file is temporarily unavailable');
    if (bytes.length > LARGEST_IN) return bad('Bad Request: file is too big');
    return { result: { file_id: id, file_size: bytes.length, file_path: `files/${id}` } };
  }
}
