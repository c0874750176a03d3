// One account of the double of signal-cli: what it received, what was sent by it, and its files. It keeps its last events
// with numbers, as the real one does.
import { receiptsFor, syncs, typing, wordless } from './signal-background.ts';
import {
  authorFields,
  envelopeOf,
  messageOf,
  type SignalFile,
  type SignalPerson,
  type SignalSayOptions,
} from './signal-people.ts';

/** A message of the account as people see it. */
export interface SignalSent {
  /** Its timestamp. */
  readonly id: string;
  /** The recipient as it was named, the id of a group, or `self`. */
  readonly chat: string;
  readonly text: string;
  readonly styles: readonly string[];
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
}

export type SignalParams = Readonly<Record<string, unknown>>;

export interface SignalEvent {
  readonly id: number;
  readonly data: string;
  /** `background`: nobody said it, such as a receipt. */
  readonly kind: 'message' | 'background';
}

interface Refusal {
  readonly code: number;
  readonly message: string;
}

const STYLE = /^(\d+):(\d+):(BOLD|ITALIC|SPOILER|STRIKETHROUGH|MONOSPACE)$/;
const DATA_URI = /^data:([^;,]+);filename=([^;,]*);base64,([A-Za-z0-9+/=]*)$/;

export class SignalAccount {
  readonly person: Required<Pick<SignalPerson, 'uuid' | 'number'>>;
  readonly sent: SignalSent[] = [];
  readonly events: SignalEvent[] = [];
  readonly watchers = new Set<() => void>();
  readonly #files = new Map<string, { file: SignalFile; from: string }>();
  readonly #now: () => number;
  #last = 0;

  constructor(person: Required<Pick<SignalPerson, 'uuid' | 'number'>>, now: () => number) {
    this.person = person;
    this.#now = now;
  }

  /** Timestamps are what messages are known by, so none comes twice. */
  tick(): number {
    this.#last = Math.max(this.#last + 1, this.#now());
    return this.#last;
  }

  push(data: unknown, kind: SignalEvent['kind'] = 'message'): void {
    const id = (this.events.at(-1)?.id ?? 0) + 1;
    this.events.push({ id, kind, data: typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null') });
    for (const watcher of this.watchers) watcher();
  }

  receive(
    from: SignalPerson,
    timestamp: number,
    content: SignalParams,
    kind: SignalEvent['kind'] = 'message',
  ): void {
    this.push({ envelope: envelopeOf(from, timestamp, content), account: this.person.number }, kind);
  }

  /** Everything that an account receives and nobody said. */
  background(from: SignalPerson, group: string): void {
    const timestamp = this.tick();
    const own = { ...this.person, name: 'Owner' };
    for (const content of wordless(timestamp, group)) this.receive(from, timestamp, content, 'background');
    for (const content of syncs(from, timestamp)) this.receive(own, timestamp, content, 'background');
  }

  /** Typing comes before what is said. */
  say(from: SignalPerson, text: string, options: SignalSayOptions = {}): number {
    const timestamp = options.timestamp ?? this.tick();
    this.receive(from, timestamp, typing('STARTED', timestamp), 'background');
    const attachmentId = this.#keep(options.file, options.group ?? from.uuid ?? from.number ?? '');
    const message = messageOf({ ...options, text, timestamp, ...(attachmentId ? { attachmentId } : {}) });
    this.receive(
      from,
      timestamp,
      options.edits === undefined
        ? { dataMessage: message }
        : { editMessage: { targetSentTimestamp: options.edits, dataMessage: message } },
    );
    return timestamp;
  }

  /** What the owner of the account writes on the phone; to themselves when nobody is named. */
  sayElsewhere(text: string, to: SignalPerson = this.person, options: SignalSayOptions = {}): number {
    const timestamp = options.timestamp ?? this.tick();
    const attachmentId = this.#keep(options.file, this.person.uuid);
    const message = messageOf({ ...options, text, timestamp, ...(attachmentId ? { attachmentId } : {}) });
    const sentMessage = { ...authorFields('destination', to), ...message };
    this.receive({ ...this.person, name: 'Owner' }, timestamp, { syncMessage: { sentMessage } });
    return timestamp;
  }

  react(
    from: SignalPerson,
    messageId: string,
    { emoji, group, isRemove = false }: { emoji: string; group?: string; isRemove?: boolean },
  ): void {
    const target = { targetSentTimestamp: Number(messageId), isRemove };
    const reaction = { emoji, ...authorFields('targetAuthor', this.person), ...target };
    const options = { more: { reaction }, ...(group === undefined ? {} : { group }) };
    if (from.uuid === this.person.uuid) this.sayElsewhere('', this.person, options);
    else this.say(from, '', options);
  }

  call(method: string, params: SignalParams): { result: unknown } | { refusal: Refusal } {
    switch (method) {
      case 'send':
        return this.#send(params);
      case 'sendTyping':
        return { result: {} };
      case 'listContacts':
        return { result: [{ ...this.person, name: 'Owner', profileName: null }] };
      case 'getAttachment':
        return this.#attachment(params);
      default:
        return { refusal: { code: -32601, message: 'Method not implemented' } };
    }
  }

  forget(attachmentId: string): void {
    this.#files.delete(attachmentId);
  }

  #keep(file: SignalFile | undefined, from: string): string | undefined {
    if (!file) return undefined;
    const id = `at${this.#files.size + 1}.bin`;
    this.#files.set(id, { file, from });
    return id;
  }

  #attachment({ id, recipient, groupId }: SignalParams): { result: unknown } | { refusal: Refusal } {
    const kept = this.#files.get(String(id));
    if (!kept || kept.from !== (recipient ?? groupId)) {
      return { refusal: { code: -1, message: `Could not find attachment with ID: ${id}` } };
    }
    return { result: { data: Buffer.from(kept.file.bytes).toString('base64') } };
  }

  #send(params: SignalParams): { result: unknown } | { refusal: Refusal } {
    const text = String(params['message'] ?? '');
    const styles = [params['textStyle'] ?? []].flat().map(String);
    const [uri] = [params['attachment'] ?? []].flat().map(String);
    const chat = chatOf(params);
    const refused = (message: string) => ({ refusal: { code: -1, message } });
    if (chat === undefined) return refused('No recipients given');
    const found = uri === undefined ? undefined : DATA_URI.exec(uri);
    if (uri !== undefined && !found) return refused(`Invalid attachment: ${uri.slice(0, 80)}`);
    if (text === '' && !found) return refused('Sending empty message is not allowed');
    const wrong = styles.find(style => {
      const [, start, length] = STYLE.exec(style) ?? [];
      return start === undefined || Number(start) + Number(length) > text.length || Number(length) === 0;
    });
    if (wrong !== undefined) return refused(`Invalid textStyle syntax (${wrong})`);
    const [, type = '', name = '', base64 = ''] = found ?? [];
    const file = { name, type, bytes: Buffer.from(base64, 'base64') };
    const timestamp = this.tick();
    this.sent.push({ id: String(timestamp), chat, text, styles, ...(found ? { file } : {}) });
    for (const watcher of this.watchers) watcher();
    for (const receipt of receiptsFor(timestamp, timestamp))
      this.receive({ uuid: chat }, timestamp, receipt, 'background');
    return { result: { timestamp, results: [{ recipientAddress: {}, type: 'SUCCESS' }] } };
  }
}

function chatOf({ recipient, groupId, noteToSelf }: SignalParams): string | undefined {
  if (noteToSelf === true) return 'self';
  if (typeof groupId === 'string') return groupId;
  const [first] = [recipient ?? []].flat();
  return typeof first === 'string' && /^\+\d+$|^[0-9a-f-]{36}$/.test(first) ? first : undefined;
}
