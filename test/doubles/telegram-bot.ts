// The state of the double: one bot, its updates, its messages, its files, and what each method of the API does to them.
import type { FormFile } from './multipart.ts';
import {
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
import { CONFLICT, type Refusal } from './telegram-faults.ts';
import { BadFormatting } from './telegram-html.ts';
import { updateQueue } from './telegram-updates.ts';

type Outcome = { readonly result: unknown } | { readonly refusal: Refusal };

const MIB = 1024 * 1024;
const LARGEST_IN = 20 * MIB;
const LARGEST_OUT = 50 * MIB;
const UPLOADS: Readonly<Record<string, string>> = { sendDocument: 'document', sendPhoto: 'photo' };

export interface TelegramBot {
  readonly account: { readonly id: number; readonly username: string };
  call(method: string, params: Params): Promise<Outcome>;
  file(path: string): Uint8Array | undefined;
  say(from: Person, text: string, options?: SayOptions): number;
  press(from: Person, messageId: string, data: string): string;
  push(update: unknown): void;
  repeatLast(): void;
  sent(): readonly SentMessage[];
  /** Called whenever something was sent or edited. */
  readonly watchers: Set<() => void>;
  unacknowledged(): number;
  release(): void;
}

export function telegramBot(account: { id: number; username: string }): TelegramBot {
  const updates = updateQueue();
  const sent = new Map<string, SentMessage>();
  const files = new Map<string, Uint8Array>();
  const watchers = new Set<() => void>();
  let webhook = '';
  let nextId = 1;

  const keep = (message: SentMessage): Outcome => {
    sent.set(message.id, message);
    for (const watcher of watchers) watcher();
    return { result: messageOf(message) };
  };
  const bad = (description: string, status = 400): Outcome => ({ refusal: { status, description } });
  const messageOf = (message: SentMessage): Params => ({
    message_id: Number(message.id),
    date: Math.floor(Date.now() / 1000),
    from: { id: account.id, is_bot: true, first_name: 'Hermes', username: account.username },
    chat: chatOf({ id: Number(message.chat), kind: Number(message.chat) < 0 ? 'group' : 'private' }),
    text: message.text,
  });

  function send(method: string, params: Params): Outcome {
    const kind = UPLOADS[method];
    const seen = readText(params, kind === undefined ? 'text' : 'caption');
    if ('refused' in seen) return bad(seen.refused);
    const buttons = readButtons(params['reply_markup']);
    if (typeof buttons === 'string') return bad(buttons);
    const file = kind === undefined ? undefined : (params[kind] as FormFile | undefined); // read from the form
    if (kind !== undefined && file === undefined)
      return bad(`Bad Request: there is no ${kind} in the request`);
    if (file && file.bytes.length > LARGEST_OUT) return bad('Request Entity Too Large', 413);
    const thread = params['message_thread_id'];
    return keep({
      id: String(nextId++),
      chat: String(params['chat_id']),
      ...(thread === undefined ? {} : { thread: String(thread) }),
      text: seen.text,
      versions: [seen.text],
      entities: seen.entities,
      buttons,
      ...(file && kind ? { file: { ...file, kind } } : {}),
    });
  }

  function edit(params: Params): Outcome {
    const old = sent.get(String(params['message_id']));
    if (!old || old.chat !== String(params['chat_id'])) return bad('Bad Request: message to edit not found');
    const seen = readText(params, 'text');
    if ('refused' in seen) return bad(seen.refused);
    const buttons = readButtons(params['reply_markup']);
    if (typeof buttons === 'string') return bad(buttons);
    const next = { ...old, ...seen, buttons, versions: [...old.versions, seen.text] };
    const isSame =
      JSON.stringify([old.text, old.entities, old.buttons]) ===
      JSON.stringify([next.text, next.entities, next.buttons]);
    if (isSame) {
      return bad(
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
      );
    }
    return keep(next);
  }

  async function poll(params: Params): Promise<Outcome> {
    if (webhook !== '') return bad("Conflict: can't use getUpdates method while webhook is active", 409);
    const number = (name: string, byDefault: number): number =>
      typeof params[name] === 'number' ? params[name] : byDefault;
    const given = await updates.poll({
      offset: number('offset', 0),
      limit: number('limit', 100),
      timeoutMs: number('timeout', 0) * 1000,
    });
    return given === 'conflict' ? { refusal: CONFLICT } : { result: given };
  }

  function findFile(id: unknown): Outcome {
    const bytes = typeof id === 'string' ? files.get(`files/${id}`) : undefined;
    if (bytes === undefined) return bad('Bad Request: wrong file_id or the file is temporarily unavailable');
    if (bytes.length > LARGEST_IN) return bad('Bad Request: file is too big');
    return { result: { file_id: id, file_size: bytes.length, file_path: `files/${id}` } };
  }

  const methods: Readonly<Record<string, (params: Params) => Outcome | Promise<Outcome>>> = {
    getMe: () => ({
      result: { ...userOf({ ...account, name: 'Hermes', isBot: true }), can_join_groups: true },
    }),
    getUpdates: poll,
    sendMessage: params => send('sendMessage', params),
    sendDocument: params => send('sendDocument', params),
    sendPhoto: params => send('sendPhoto', params),
    editMessageText: edit,
    getFile: params => findFile(params['file_id']),
    answerCallbackQuery: () => ({ result: true }),
    setMyCommands: () => ({ result: true }),
    sendChatAction: () => ({ result: true }),
    getWebhookInfo: () => ({ result: { url: webhook, pending_update_count: updates.waiting } }),
    setWebhook: params => {
      webhook = String(params['url']);
      return { result: true };
    },
    deleteWebhook: () => {
      webhook = '';
      return { result: true };
    },
  };

  return {
    account,
    watchers,
    async call(method, params) {
      try {
        return (await methods[method]?.(params)) ?? bad('Not Found: method not found', 404);
      } catch (error) {
        if (error instanceof BadFormatting) return bad(`Bad Request: can't parse entities: ${error.message}`);
        throw error;
      }
    },
    file: path => files.get(path),
    say(from, text, { chat: place, file, replyTo, edits } = {}) {
      const chat: Place = place ?? { id: from.id, kind: 'private' };
      const id = edits ?? nextId++;
      const replied = replyTo === undefined ? undefined : sent.get(replyTo);
      const fileId = `f${id}`;
      if (file) files.set(`files/${fileId}`, file.bytes);
      const entities = entitiesOf(text);
      updates.add({
        [edits === undefined ? 'message' : 'edited_message']: {
          message_id: id,
          date: Math.floor(Date.now() / 1000),
          from: userOf(from),
          chat: chatOf(chat),
          ...(chat.thread === undefined ? {} : { message_thread_id: chat.thread, is_topic_message: true }),
          ...(replied ? { reply_to_message: messageOf(replied) } : {}),
          ...(file
            ? { ...filePart(file, fileId), caption: text, caption_entities: entities }
            : { text, entities }),
        },
      });
      return id;
    },
    press(from, messageId, data) {
      const message = sent.get(messageId);
      if (!message) throw new Error(`the bot has sent no message ${messageId}`);
      const id = String(nextId++);
      const callback = { id, from: userOf(from), message: messageOf(message), chat_instance: 'c', data };
      updates.add({ callback_query: callback });
      return id;
    },
    push: update => {
      const isObject = typeof update === 'object' && update !== null && !Array.isArray(update);
      if (isObject && !('update_id' in update)) updates.add({ ...update });
      else updates.addRaw(update);
    },
    repeatLast() {
      const { update_id: _, ...last } = updates.last ?? {};
      updates.add(last);
    },
    sent: () => [...sent.values()],
    unacknowledged: () => updates.waiting,
    release: updates.release,
  };
}
