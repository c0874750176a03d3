// The state of the double: one number of a business, what people say to it, what it has sent and uploaded, and what each call of
// the Graph API does to that.
import { createHash } from 'node:crypto';
import type { Clock } from '../../src/base/clock.ts';
import type { Refusal } from './whatsapp-faults.ts';
import { invalid, readSending, refusedUpload, type SentMessage, type Upload } from './whatsapp-sending.ts';
import { Reachability, statusesOf } from './whatsapp-statuses.ts';
import { changeOf, type Json, type Webhooks } from './whatsapp-webhooks.ts';

export interface Person {
  /** Absent = hidden, as by somebody who has chosen a name. */
  readonly phone?: string;
  readonly userId?: string;
  readonly name?: string;
}

export interface SayOptions {
  readonly group?: string;
  readonly file?: {
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly kind?: 'document' | 'image' | 'audio';
  };
  readonly context?: Json;
  /** Other parts of the message, or instead of them. */
  readonly message?: Json;
}

export interface NumberMetadata {
  readonly display_phone_number: string;
  readonly phone_number_id: string;
}

export interface BusinessOptions {
  readonly webhooks: Webhooks;
  readonly metadata: NumberMetadata;
  /** The window of 24 hours goes by it. */
  readonly clock: Clock;
}

export class WhatsAppBusiness {
  /** Called whenever something was sent. */
  readonly watchers = new Set<() => void>();
  /** What people see. */
  readonly sent: SentMessage[] = [];
  /** What was accepted and did not arrive; a webhook says so. */
  readonly lost: SentMessage[] = [];
  readonly people: Reachability;
  /** Where files are said to be; empty = at the API itself. */
  fileHost = '';
  readonly #webhooks: Webhooks;
  readonly #metadata: NumberMetadata;
  readonly #clock: Clock;
  readonly #uploads = new Map<string, Upload>();
  readonly #files = new Map<string, Uint8Array>();
  #nextId = 1;

  constructor({ webhooks, metadata, clock }: BusinessOptions) {
    this.#webhooks = webhooks;
    this.#metadata = metadata;
    this.#clock = clock;
    this.people = new Reachability(() => clock.now());
  }

  file(id: string): Uint8Array | undefined {
    return this.#files.get(id);
  }

  say(from: Person, text: string, { group, file, context, message = {} }: SayOptions = {}): string {
    const mediaId = String(this.#nextId++);
    if (file) this.#files.set(mediaId, file.bytes);
    return this.#speak(from, {
      ...(group === undefined ? {} : { group_id: group }),
      ...(context ? { context } : {}),
      ...(file ? mediaPart(file, mediaId, text) : { type: 'text', text: { body: text } }),
      ...message,
    });
  }

  press(from: Person, messageId: string, data: string): string {
    const message = this.sent.find(({ id }) => id === messageId);
    const title = message?.buttons.find(each => each.data === data)?.label ?? '';
    const kind = (message?.buttons.length ?? 0) > 3 ? 'list_reply' : 'button_reply';
    const context = { from: this.#metadata.display_phone_number, id: messageId };
    const interactive = { type: kind, [kind]: { id: data, title } };
    return this.#speak(from, { type: 'interactive', context, interactive });
  }

  /** A webhook with these statuses, and with messages. */
  statusPayload(statuses: readonly Json[], messages: readonly Json[] = []): Json {
    const value = { messaging_product: 'whatsapp', metadata: this.#metadata, statuses, messages };
    return changeOf('messages', value);
  }

  call(name: string, params: Json, apiRoot: string): Json | Refusal {
    switch (name) {
      case 'phone':
        return {
          id: this.#metadata.phone_number_id,
          display_phone_number: '+1 555-078-3881',
          verified_name: 'Hermes Test',
        };
      case 'conversational_automation':
        return { success: true };
      case 'messages':
        return params['status'] === 'read' ? { success: true } : this.#send(params);
      case 'media':
        return this.#upload(params);
      case 'media-url':
        return this.#find(String(params['id']), this.fileHost || apiRoot);
      default:
        return invalid('unknown path');
    }
  }

  #speak(from: Person, message: Json): string {
    const id = this.#newId();
    const { group_id: group } = message;
    this.people.heard(from.phone, from.userId, typeof group === 'string' ? group : undefined);
    this.#webhooks.add({
      contact: contactOf(from),
      message: {
        ...{ id, timestamp: String(Math.floor(this.#clock.now() / 1000)) },
        ...(from.phone === undefined ? {} : { from: from.phone }),
        ...(from.userId === undefined ? {} : { from_user_id: from.userId }),
        ...message,
      },
    });
    return id;
  }

  #send(params: Json): Json | Refusal {
    const message = readSending(params, this.#newId(), this.#uploads);
    if ('code' in message) return message;
    const refusal = this.people.refusalOf(message);
    (refusal ? this.lost : this.sent).push(message);
    this.#webhooks.report(this.statusPayload(statusesOf(message, refusal, this.#clock.now())));
    for (const watcher of this.watchers) watcher();
    return { messaging_product: 'whatsapp', contacts: [], messages: [{ id: message.id }] };
  }

  #upload(params: Json): Json | Refusal {
    const file = params['file'] as Upload | undefined; // read from the form
    if (!file || params['messaging_product'] !== 'whatsapp') return invalid('file');
    const refused = refusedUpload(file);
    if (refused) return refused;
    const id = String(this.#nextId++);
    this.#uploads.set(id, file);
    return { id };
  }

  #find(id: string, root: string): Json | Refusal {
    const bytes = this.#files.get(id);
    if (!bytes) return invalid(`Unsupported get request. Object with ID '${id}' does not exist`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id, url: `${root}/file/${id}`, file_size: bytes.length, sha256 };
  }

  #newId(): string {
    return `wamid.${Buffer.from(`double-${this.#nextId++}`).toString('base64url')}`;
  }
}

function contactOf({ phone, userId, name = 'Person' }: Person): Json {
  return {
    profile: { name },
    ...(phone === undefined ? {} : { wa_id: phone }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
}

function mediaPart(
  { kind = 'document', name }: NonNullable<SayOptions['file']>,
  id: string,
  text: string,
): Json {
  const caption = text === '' ? {} : { caption: text };
  if (kind === 'image')
    return { type: 'image', image: { id, mime_type: 'image/jpeg', sha256: 'x', ...caption } };
  if (kind === 'audio')
    return { type: 'audio', audio: { id, mime_type: 'audio/ogg; codecs=opus', voice: true } };
  return {
    type: 'document',
    document: { id, filename: name, mime_type: 'application/octet-stream', ...caption },
  };
}
