// Makes frames of a real service fit to be kept: ids, names, texts, tokens and times become others of the same shape and
// length, the same one for the same original, so that mentions, offsets and replies still fit. What is only a word of the
// protocol stays. The key is drawn for each recording and kept nowhere: nothing can be turned back.
import { createHmac, randomBytes } from 'node:crypto';

/** Fields whose values are words of the protocol. */
const PROTOCOL = new Set([
  ...['type', 'subtype', 'channel_type', 't', 'mime_type', 'mimetype', 'filetype', 'mode', 'language_code'],
  ...['status', 'error', 'retry_reason', 'kind', 'event', 'reason', 'jsonrpc', 'method', 'object', 'field'],
  ...['messaging_product', 'command', 'action_id', 'name_of_call'],
]);
const SCHEMES = new Set(['http', 'https', 'ws', 'wss']);
/** Smaller numbers are counts, offsets and kinds. */
const SMALLEST_ID = 10_000;
const WORD = /[\p{L}\p{N}_]+/gu;

export class Sanitiser {
  readonly #key = randomBytes(32);
  readonly #secrets: readonly string[];

  /** `secrets`: what must be nowhere, also inside of other words. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter(secret => secret !== '').toSorted((a, b) => b.length - a.length);
  }

  value(given: unknown, field = ''): unknown {
    if (typeof given === 'string') return PROTOCOL.has(field) ? this.#hidden(given) : this.text(given);
    if (typeof given === 'number') return this.#number(given);
    if (Array.isArray(given)) return given.map(each => this.value(each, field));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, this.value(each, name)]));
  }

  text(given: string): string {
    return this.#hidden(given).replace(WORD, word => (SCHEMES.has(word) ? word : this.#word(word)));
  }

  /** Of an address: names of methods stay, ids and tokens do not. */
  path(given: string): string {
    const [path = ''] = given.split('?');
    return path
      .split('/')
      .map(part => {
        const isSecret = this.#secrets.some(secret => part.includes(secret));
        if (isSecret) return 'secret';
        return /\d{5,}|^.{25,}$/.test(part) ? this.text(part) : part;
      })
      .join('/');
  }

  #hidden(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, 'x'.repeat(secret.length)), text);
  }

  #number(given: number): number {
    if (Math.abs(given) < SMALLEST_ID || !Number.isSafeInteger(given)) return given;
    return Math.sign(given) * Number(this.#word(String(Math.abs(given))));
  }

  #word(word: string): string {
    const bytes = createHmac('sha256', this.#key).update(word).digest();
    const drawn = (at: number): number => bytes[at % bytes.length] ?? 0;
    // Slack tells kinds of ids apart by their first letter.
    const isId = /^[A-Z][A-Z0-9]{2,}$/.test(word) && /\d/.test(word);
    return Array.from({ length: word.length }, (_, at) => {
      const sign = word[at] ?? '';
      if (at === 0 && isId) return sign;
      if (sign === '_') return sign;
      if (/\d/.test(sign)) return String(at === 0 && sign !== '0' ? 1 + (drawn(at) % 8) : drawn(at) % 10);
      const letter = String.fromCharCode(97 + (drawn(at) % 26));
      return /\p{Lu}/u.test(sign) ? letter.toUpperCase() : letter;
    }).join('');
  }
}
