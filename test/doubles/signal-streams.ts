// The streams of server-sent events that are open to the double of signal-cli: events with numbers, signs of life, and what
// was missed by whoever comes back.
import type { ServerResponse } from 'node:http';
import type { SignalAccount, SignalEvent } from './signal-account.ts';

/** Short, since tests let time pass twenty times as fast. */
const ALIVE_EVERY_MS = 200;
const MOST_KEPT = 1000;

interface Stream {
  readonly response: ServerResponse;
  /** The last event that it got. */
  last: number;
  isFrozen: boolean;
}

export class SignalStreams {
  readonly #account: SignalAccount;
  readonly #events: 'kept' | 'unnumbered';
  readonly #streams = new Set<Stream>();
  readonly #alive: NodeJS.Timeout;
  #prefix = 'run1-';
  #runs = 1;

  constructor(account: SignalAccount, events: 'kept' | 'unnumbered') {
    this.#account = account;
    this.#events = events;
    account.watchers.add(() => this.#flow());
    this.#alive = setInterval(() => this.#write(':\n'), ALIVE_EVERY_MS);
  }

  get open(): number {
    return this.#streams.size;
  }

  add(response: ServerResponse, lastEventId: string | undefined): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const newest = this.#account.events.at(-1)?.id ?? 0;
    const missed = this.#events === 'kept' && lastEventId !== undefined ? this.after(lastEventId) : [];
    const stream = { response, last: missed[0] ? missed[0].id - 1 : newest, isFrozen: false };
    this.#streams.add(stream);
    response.on('close', () => {
      this.#streams.delete(stream);
      this.#changed();
    });
    this.#changed();
  }

  /** What was kept after this event; everything when it is unknown. */
  after(id: string | undefined): readonly SignalEvent[] {
    const known = id?.startsWith(this.#prefix) ? Number(id.slice(this.#prefix.length)) : 0;
    return this.#account.events.slice(-MOST_KEPT).filter(event => event.id > known);
  }

  drop(): void {
    for (const { response } of this.#streams) response.destroy();
  }

  freeze(): void {
    for (const stream of this.#streams) stream.isFrozen = true;
  }

  renumber(): void {
    this.#prefix = `run${++this.#runs}-`;
  }

  close(): void {
    clearInterval(this.#alive);
    this.drop();
  }

  #changed(): void {
    for (const watcher of [...this.#account.watchers]) watcher();
  }

  #flow(): void {
    for (const stream of this.#streams) {
      if (stream.isFrozen) continue;
      for (const { id, data } of this.#account.events) {
        if (id <= stream.last) continue;
        stream.last = id;
        const number = this.#events === 'kept' ? `id:${this.#prefix}${id}\n` : '';
        const lines = data.split('\n').map(line => `data:${line}\n`);
        stream.response.write(`${number}event:receive\n${lines.join('')}\n`);
      }
    }
  }

  #write(text: string): void {
    for (const { response, isFrozen } of this.#streams) if (!isFrozen) response.write(text);
  }
}
