// The side of Socket Mode that is Slack's: greets, hands out envelopes, and redelivers events that were not acknowledged.
// - Everything must be acknowledged within 3 s (docs.slack.dev/apis/events-api, `Responding to events`; docs.slack.dev/
//   interactivity/implementing-slash-commands; docs.slack.dev/interactivity/handling-user-interaction).
// - Events alone are delivered again: at once, after 1 minute and after 5 minutes (docs.slack.dev/apis/events-api, `Retries`),
//   with `retry_attempt` and `retry_reason` beside the payload (slackapi/python-slack-sdk, slack_sdk/socket_mode/request.py).
// - A command or a press that is late or finds no connection comes never again: the person sees an error.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Timer } from '../../src/base/clock.ts';
import type { Fields } from './slack-payloads.ts';

type EnvelopeType = 'events_api' | 'slash_commands' | 'interactive';

interface Item {
  readonly type: EnvelopeType;
  readonly payload: unknown;
  /** An event of the app's own doing, such as a message that it sent. */
  readonly isEcho: boolean;
  /** Of delivery, so far. */
  attempts: number;
  /** No connection was there for the last attempt yet. */
  isHeld: boolean;
  timer?: Timer;
}

const ACKNOWLEDGE_MS = 3000;
const REDELIVER_MS = [0, 60_000, 300_000];

export class SlackSockets {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #open = new Set<WebSocket>();
  readonly #raw = new Map<WebSocket, Duplex>();
  /** What nobody has acknowledged, in order. */
  readonly #waiting = new Set<Item>();
  /** By the ids of the envelopes that carried them. */
  readonly #carried = new Map<string, Item>();
  readonly #frozen = new WeakSet<WebSocket>();
  readonly #clock: Clock;
  readonly #changed: () => void;
  #last: Item | undefined;
  #nextId = 1;
  #opened = 0;
  /** The next so many connections are closed before Slack says hello. */
  rejects = 0;
  /** The next so many are closed right after it. */
  brief = 0;
  /** The next so many envelopes do not arrive. */
  loseNext = 0;

  /** Commands and presses that Slack gave up; the person saw an error. */
  readonly failed: { readonly type: EnvelopeType; readonly payload: unknown }[] = [];
  /** Events that Slack gave up after the last attempt. */
  readonly lost: unknown[] = [];
  /** What the app answered with its acknowledgements; of a command, the person sees it. */
  readonly responses: unknown[] = [];

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** What others did, and was not acknowledged yet. */
  get unacknowledged(): number {
    return [...this.#waiting].filter(({ isEcho }) => !isEcho).length;
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
      for (const item of this.#waiting) if (item.isHeld) this.#send(ws, item);
      if (this.brief <= 0) return;
      this.brief -= 1;
      ws.close();
    });
  }

  add(type: EnvelopeType, payload: unknown, origin: 'others' | 'app' = 'others'): void {
    const item: Item = { type, payload, isEcho: origin === 'app', attempts: 0, isHeld: false };
    if (!item.isEcho) this.#last = item;
    this.#waiting.add(item);
    this.#offer(item);
  }

  /** Once more, as if nobody had acknowledged it. */
  repeatLast(): void {
    if (this.#last?.type !== 'events_api') throw new Error('no event was handed out last');
    this.#waiting.add(this.#last);
    this.#offer(this.#last);
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
    for (const { timer } of this.#waiting) timer?.cancel();
    this.#waiting.clear();
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
    const { envelope_id, payload } = JSON.parse(text) as { envelope_id?: string; payload?: unknown }; // of our own adapter
    const item = this.#carried.get(envelope_id ?? '');
    if (!item) return;
    if (payload !== undefined) this.responses.push(payload);
    this.#leave(item);
  }

  #leave(item: Item): void {
    item.timer?.cancel();
    this.#waiting.delete(item);
    this.#changed();
  }

  /** To one of those that are connected, or to the first that connects in time. */
  #offer(item: Item): void {
    const ws = [...this.#open].at(-1);
    item.timer?.cancel();
    item.timer = this.#clock.after(ACKNOWLEDGE_MS, () => this.#late(item));
    item.attempts += 1;
    item.isHeld = ws === undefined;
    if (ws) this.#send(ws, item);
    this.#changed();
  }

  /** It was not acknowledged in time. */
  #late(item: Item): void {
    const { type, payload, attempts } = item;
    const waitMs = type === 'events_api' ? REDELIVER_MS[attempts - 1] : undefined;
    item.isHeld = false;
    if (waitMs !== undefined) {
      item.timer = this.#clock.after(waitMs, () => this.#offer(item));
      return;
    }
    if (type === 'events_api') this.lost.push(payload);
    else this.failed.push({ type, payload });
    this.#leave(item);
  }

  #send(ws: WebSocket, item: Item): void {
    const id = `00000000-0000-4000-8000-${String(this.#nextId++).padStart(12, '0')}`;
    this.#carried.set(id, item);
    item.isHeld = false;
    const retry = item.attempts > 1 ? { retry_attempt: item.attempts - 1, retry_reason: 'timeout' } : {};
    const accepts = item.type === 'slash_commands' || item.type === 'interactive';
    if (this.loseNext > 0) {
      this.loseNext -= 1;
      return;
    }
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
