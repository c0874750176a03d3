// The side of WhatsApp that brings webhooks: signed, several messages in one, and again until they are answered with 200.
import { createHmac } from 'node:crypto';

export type Json = Readonly<Record<string, unknown>>;

export interface Spoken {
  readonly message: Json;
  readonly contact: Json;
}

export interface WebhooksOptions {
  readonly appSecret: string;
  readonly metadata: { readonly display_phone_number: string; readonly phone_number_id: string };
  readonly isCut: () => boolean;
}

type Item =
  | { readonly spoken: Spoken }
  | { readonly payload: unknown }
  /** Of what the business has sent. */
  | { readonly status: unknown };

const AGAIN_MS = 15;
const MOST_TOGETHER = 5;
const MOST_AT_ONCE = 16;

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #waiting: Item[] = [];
  #url: string | undefined;
  #delivering: Promise<void> | undefined;
  #current = new AbortController();
  #last: Item | undefined;
  #isClosed = false;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /** What people said and nobody has answered with 200. */
  get waiting(): number {
    return this.#waiting.filter(item => !('status' in item)).length;
  }

  /** Where they go from now on; what is under way goes there too. */
  send(url: string | undefined): void {
    this.#url = url;
    this.#current.abort();
    this.#current = new AbortController();
    this.#wake();
  }

  add(spoken: Spoken): void {
    this.#put({ spoken });
  }

  /** Anything, signed, by itself. */
  push(payload: unknown): void {
    this.#put({ payload });
  }

  /** What has become of a message of the business. */
  report(status: unknown): void {
    this.#put({ status });
  }

  repeatLast(): void {
    if (this.#last) this.#put({ ...this.#last });
  }

  /** At once, where there is a way again. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#delivering;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current.abort();
    await this.#delivering;
  }

  #put(item: Item): void {
    if (!('status' in item)) this.#last = item;
    this.#waiting.push(item);
    this.#wake();
  }

  #wake(): void {
    this.#delivering ??= this.#deliver().finally(() => {
      this.#delivering = undefined;
      if (!this.#isClosed && this.#url !== undefined && this.#waiting.length > 0)
        setTimeout(() => this.#wake(), AGAIN_MS);
    });
  }

  async #deliver(): Promise<void> {
    while (this.#waiting.length > 0 && this.#url !== undefined && !this.#isClosed && !this.#options.isCut()) {
      const posts = this.#posts();
      const taken = await Promise.all(posts.map(post => this.#post(post)));
      const done = new Set(posts.filter((_, at) => taken[at]).flat());
      this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter(item => !done.has(item)));
      if (taken.includes(false)) return;
    }
  }

  /** Messages that wait together come together; everything else comes by itself, and several at the same time. */
  #posts(): readonly (readonly Item[])[] {
    const isSpoken = (item: Item): boolean => 'spoken' in item;
    const [first] = this.#waiting;
    if (!first) return [];
    const end = this.#waiting.findIndex(item => isSpoken(item) !== isSpoken(first));
    const alike = this.#waiting.slice(0, end < 0 ? undefined : end);
    return isSpoken(first)
      ? [alike.slice(0, MOST_TOGETHER)]
      : alike.slice(0, MOST_AT_ONCE).map(item => [item]);
  }

  async #post(batch: readonly Item[]): Promise<boolean> {
    const [first] = batch;
    const spoken = batch.flatMap(item => ('spoken' in item ? [item.spoken] : []));
    const payload = first === undefined || 'spoken' in first ? this.#payloadOf(spoken) : payloadOf(first);
    const body = JSON.stringify(payload) ?? 'null';
    try {
      const response = await fetch(this.#url ?? '', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': signatureOf(body, this.#options.appSecret),
        },
        body,
        signal: this.#current.signal,
      });
      await response.text();
      return response.status === 200;
    } catch {
      return false; // nobody is there, or it goes elsewhere by now
    }
  }

  #payloadOf(spoken: readonly Spoken[]): Json {
    const value = {
      messaging_product: 'whatsapp',
      metadata: this.#options.metadata,
      contacts: spoken.map(({ contact }) => contact),
      messages: spoken.map(({ message }) => message),
    };
    return changeOf('messages', value);
  }
}

function payloadOf(item: Exclude<Item, { readonly spoken: Spoken }>): unknown {
  return 'status' in item ? item.status : item.payload;
}

export function changeOf(field: string, value: Json): Json {
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ value, field }] }],
  };
}

export function signatureOf(body: string | Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}
