// A chat service in memory: what people see in each chat, buttons that can be pressed, and troubles on demand.
import { HermesError } from '../../../src/base/errors.ts';
import type {
  Chat,
  Connection,
  ConnectOptions,
  OutgoingFileMessage,
  OutgoingText,
  Platform,
  PlatformCapabilities,
} from '../../../src/platforms/platform.ts';
import { within } from '../../wait.ts';

export interface Shown {
  readonly id: string;
  text: string;
  buttons: readonly string[];
  /** What the buttons carry, by their label. */
  data: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  edits: number;
}

export type Call = 'send' | 'file' | 'edit' | 'typing' | 'connect';

export const CAPABILITIES: PlatformCapabilities = {
  maxText: 4096,
  edits: true,
  editEveryMs: 20,
  buttons: true,
  maxButtonData: 64,
  typing: true,
  groups: true,
  threads: true,
  maxFileIn: 1000,
  maxFileOut: 10_000_000,
  isPublic: true,
};

export class MemoryPlatform implements Platform {
  readonly name: string;
  readonly capabilities: PlatformCapabilities;
  readonly calls: Call[] = [];
  readonly notes: string[] = [];
  /** Throws what the service answers instead of doing it. */
  trouble: (call: Call, chat: string) => void = () => {};
  readonly files = new Map<string, Uint8Array>();
  readonly #chats = new Map<string, Shown[]>();
  #options: ConnectOptions | undefined;
  #listeners = new Set<() => void>();
  #count = 0;

  constructor(name = 'telegram', capabilities: Partial<PlatformCapabilities> = {}) {
    this.name = name;
    this.capabilities = { ...CAPABILITIES, ...capabilities };
  }

  async connect(options: ConnectOptions): Promise<Connection> {
    this.#try('connect', '');
    this.#options = options;
    const { edits, typing, buttons } = this.capabilities;
    return {
      account: `connected as @${this.name}`,
      send: async (chat, message) => this.#send(chat, message),
      sendFile: async (chat, file) => this.#sendFile(chat, file),
      ...(edits ? { edit: async (chat, id, message) => this.#edit(chat, id, message) } : {}),
      ...(typing ? { typing: async chat => this.#try('typing', chat.id) } : {}),
      ...(buttons ? { answerButton: async (_, text) => void this.#note(text) } : {}),
      fetchFile: async ref => this.files.get(String(ref)) ?? new Uint8Array(),
      pause: async () => {
        this.#options = undefined;
      },
      close: async () => {},
    };
  }

  /** The id that the next message gets. */
  get nextId(): string {
    return `out${this.#count + 1}`;
  }

  /** What a chat shows, top to bottom. */
  chat(id: string): readonly Shown[] {
    return this.#chats.get(id) ?? [];
  }

  texts(id: string): readonly string[] {
    return this.chat(id).map(({ text }) => text);
  }

  /** Somebody writes; resolves when the gateway has acknowledged it. */
  async say(
    chat: string,
    text: string,
    {
      from = chat,
      id,
      files = [],
      forwardedFrom,
      sentAt,
    }: {
      from?: string;
      id?: string;
      files?: readonly { name: string; size: number }[];
      forwardedFrom?: string;
      sentAt?: number;
    } = {},
  ): Promise<void> {
    await this.#options?.receive({
      ...{ kind: 'message', id: id ?? `in${++this.#count}`, text, isAddressed: true },
      chat: chatOf(chat),
      sender: { id: from, name: `name of ${from}` },
      files: files.map(({ name, size }) => ({ name, size, ref: name })),
      ...(forwardedFrom === undefined ? {} : { forwardedFrom }),
      ...(sentAt === undefined ? {} : { sentAt }),
    });
  }

  async press(chat: string, label: string, { from = chat }: { from?: string } = {}): Promise<void> {
    const on = this.chat(chat).findLast(({ buttons }) => buttons.includes(label));
    await this.#options?.receive({
      ...{ kind: 'button', id: `press${++this.#count}`, chat: chatOf(chat), messageId: on?.id ?? '' },
      sender: { id: from, name: `name of ${from}` },
      data: on?.data[label] ?? '',
    });
  }

  /** The service reports that something it accepted did not arrive; resolves when the gateway has acknowledged it. */
  async undelivered(messageId: string, problem: string): Promise<void> {
    await this.#options?.onUndelivered?.({ messageId, problem });
  }

  /** The service tells that the connection is there again. */
  reconnected(): void {
    this.#options?.onState({ kind: 'connected' });
  }

  /** Resolves as soon as it holds; looked at whenever something changes here. Rejects when that takes too long. */
  async until(holds: () => boolean, what = () => `${holds}`): Promise<void> {
    const looking = async (): Promise<void> => {
      while (!holds()) await new Promise<void>(resolve => this.#listeners.add(resolve));
    };
    await within(looking(), what);
  }

  /** Resolves when the chat shows it somewhere. */
  async shows(chat: string, text: string): Promise<void> {
    await this.until(
      () => this.texts(chat).some(each => each.includes(text)),
      () => `"${text}" in the chat ${chat}, which shows ${JSON.stringify(this.texts(chat))}`,
    );
  }

  #send(chat: Chat, { text, buttons = [], mark }: OutgoingText) {
    this.#try('send', chat.id);
    return this.#show(chat, { text: [mark, text].filter(Boolean).join(' '), ...buttonsOf(buttons) });
  }

  #sendFile(chat: Chat, { name, bytes, caption = '' }: OutgoingFileMessage) {
    this.#try('file', chat.id);
    return this.#show(chat, { text: caption, buttons: [], data: {}, file: { name, bytes } });
  }

  #show(chat: Chat, shown: Omit<Shown, 'id' | 'edits'>) {
    const id = `out${++this.#count}`;
    const all = this.#chats.get(chat.id) ?? [];
    all.push({ ...shown, id, edits: 0 });
    this.#chats.set(chat.id, all);
    this.#changed();
    return { ids: [id] };
  }

  #edit(chat: Chat, id: string, { text, buttons = [] }: OutgoingText): void {
    this.#try('edit', chat.id);
    const found = this.chat(chat.id).find(each => each.id === id);
    if (!found) throw new HermesError('USAGE_NOT_DELIVERED', `There is no message ${id}.`);
    Object.assign(found, { text, ...buttonsOf(buttons), edits: found.edits + 1 });
    this.#changed();
  }

  #try(call: Call, chat: string): void {
    this.calls.push(call);
    try {
      this.trouble(call, chat);
    } finally {
      this.#changed();
    }
  }

  #note(text: string): void {
    this.notes.push(text);
    this.#changed();
  }

  #changed(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}

function buttonsOf(rows: NonNullable<OutgoingText['buttons']>) {
  const all = rows.flat();
  return {
    buttons: all.map(({ label }) => label),
    data: Object.fromEntries(all.map(({ label, data }) => [label, data])),
  };
}

/** Groups are those whose id begins with a minus. */
function chatOf(id: string): Chat {
  return { id, kind: id.startsWith('-') ? 'group' : 'private' };
}

export function offline(): HermesError {
  return new HermesError('UNAVAILABLE_PLATFORM', 'The service cannot be reached.');
}

export function limited(retryAfterMs: number): HermesError {
  return new HermesError('UNAVAILABLE_PLATFORM', 'Too many requests.', { details: { retryAfterMs } });
}

export function blocked(): HermesError {
  return new HermesError('USAGE_NOT_DELIVERED', 'The bot was blocked by the person.');
}
