// The side of Socket Mode that is Slack's: greets, hands out envelopes, and hands out again what nobody has acknowledged.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Fields } from './slack-payloads.ts';

type EnvelopeType = 'events_api' | 'slash_commands' | 'interactive';

interface Item {
  readonly type: EnvelopeType;
  readonly payload: unknown;
  attempts: number;
}

export class SlackSockets {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #open = new Set<WebSocket>();
  readonly #raw = new Map<WebSocket, Duplex>();
  /** What nobody has acknowledged, in order. */
  readonly #waiting = new Set<Item>();
  /** By the ids of the envelopes that carried them. */
  readonly #carried = new Map<string, Item>();
  readonly #frozen = new WeakSet<WebSocket>();
  #last: Item | undefined;
  #nextId = 1;
  #opened = 0;
  /** The next so many connections are closed before Slack says hello. */
  rejects = 0;
  /** The next so many are closed right after it. */
  brief = 0;

  get unacknowledged(): number {
    return this.#waiting.size;
  }

  /** What it is that nobody has acknowledged. */
  get waiting(): readonly unknown[] {
    return [...this.#waiting].map(({ payload }) => payload);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Since the beginning. */
  get opened(): number {
    return this.#opened;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, ws => {
      this.#opened += 1;
      if (this.rejects > 0) {
        this.rejects -= 1;
        ws.terminate();
        return;
      }
      this.#open.add(ws);
      this.#raw.set(ws, socket);
      ws.on('message', data => this.#heard(String(data)));
      ws.on('error', () => ws.terminate());
      ws.on('close', () => this.#open.delete(ws));
      ws.send(JSON.stringify(this.#hello()));
      for (const item of this.#waiting) this.#send(ws, item);
      if (this.brief <= 0) return;
      this.brief -= 1;
      ws.close();
    });
  }

  add(type: EnvelopeType, payload: unknown): void {
    const item = { type, payload, attempts: 0 };
    this.#last = item;
    this.#waiting.add(item);
    this.#offer(item);
  }

  /** Once more, as if nobody had acknowledged it. */
  repeatLast(): void {
    if (!this.#last) throw new Error('nothing was handed out yet');
    this.#waiting.add(this.#last);
    this.#offer(this.#last);
  }

  /** What Slack does when three seconds have gone by. */
  retry(): void {
    for (const item of this.#waiting) this.#offer(item);
  }

  /** Any frame, whatever it is. */
  push(frame: unknown): void {
    for (const ws of this.#open) ws.send(typeof frame === 'string' ? frame : (JSON.stringify(frame) ?? ''));
  }

  /** Slack asks for another connection in place of these. */
  refresh(reason: string): void {
    this.push({ type: 'disconnect', reason, debug_info: { host: 'double' } });
  }

  drop(): void {
    for (const ws of this.#open) ws.terminate();
    this.#open.clear();
  }

  /** The other side is gone and nobody says so: nothing is read and nothing is written any more. */
  freeze(): void {
    for (const ws of this.#open) {
      this.#frozen.add(ws);
      this.#raw.get(ws)?.pause();
      ws.pause();
      this.#open.delete(ws);
    }
  }

  close(): void {
    for (const raw of this.#raw.values()) raw.destroy();
    this.#server.close();
  }

  #hello(): Fields {
    return {
      type: 'hello',
      num_connections: this.#open.size,
      debug_info: {
        host: 'double',
        started: '2024-01-01 00:00:00.000',
        build_number: 1,
        approximate_connection_time: 18060,
      },
      connection_info: { app_id: 'A0HERMES1' },
    };
  }

  #heard(text: string): void {
    const { envelope_id } = JSON.parse(text) as { envelope_id?: string }; // of our own adapter
    const item = this.#carried.get(envelope_id ?? '');
    if (item) this.#waiting.delete(item);
  }

  /** To one of those that are connected, as Slack does. */
  #offer(item: Item): void {
    const ws = [...this.#open].at(-1);
    if (ws) this.#send(ws, item);
  }

  #send(ws: WebSocket, item: Item): void {
    const id = `00000000-0000-4000-8000-${String(this.#nextId++).padStart(12, '0')}`;
    this.#carried.set(id, item);
    const retry = item.attempts > 0 ? { retry_attempt: item.attempts, retry_reason: 'timeout' } : {};
    item.attempts += 1;
    const accepts = item.type === 'slash_commands' || item.type === 'interactive';
    ws.send(
      JSON.stringify({
        envelope_id: id,
        payload: item.payload,
        type: item.type,
        accepts_response_payload: accepts,
        ...(item.type === 'events_api' ? { retry_attempt: 0, retry_reason: '', ...retry } : {}),
      }),
    );
  }
}
