// What comes in over the socket: parsed, each once, in order for each chat, and acknowledged only when it was received (P12).
// Slack sends again what it does not see acknowledged within three seconds; such a repeat waits for the first.
import { sleep } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Turns } from '../../base/turns.ts';
import type { ConnectOptions, PlatformEvent } from '../platform.ts';
import type { Client } from './client.ts';
import type { Names } from './names.ts';
import { type Parsed, type ParseOptions, parseEnvelope } from './parse.ts';
import type { Progress } from './progress.ts';
import type { Rooms } from './rooms.ts';
import type { Envelope } from './session.ts';

const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
/** Slack repeats something for five minutes at most. */
const MOST_REMEMBERED = 5000;

export interface IntakeOptions {
  readonly client: Client;
  readonly rooms: Rooms;
  readonly names: Names;
  readonly progress: Progress;
  readonly receive: ConnectOptions['receive'];
  readonly log: Log;
  readonly parsing: () => ParseOptions;
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #turns = new Turns();
  readonly #stopping = new AbortController();
  /** Who waits for each event that is being received. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #received = new Set<string>();
  readonly #working = new Set<Promise<void>>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  take({ type, payload, ack }: Envelope): void {
    if (this.#stopping.signal.aborted) return;
    const parsed = parseEnvelope(type, payload, this.#options.parsing());
    const key = parsed && keyOf(parsed.event);
    // What is no event is dealt with, and so is what was received before.
    if (!parsed || key === undefined || this.#received.has(key)) ack();
    else if (this.#waiting.has(key)) this.#waiting.get(key)?.push(ack);
    else this.#begin(parsed, key, ack);
  }

  #begin(parsed: Parsed, key: string, ack: () => void): void {
    this.#waiting.set(key, [ack]);
    const work = this.#turns
      .in(parsed.event.chat.id, () => this.#give(parsed, key))
      .finally(() => {
        this.#waiting.delete(key);
        this.#working.delete(work);
      });
    this.#working.add(work);
  }

  /** Takes no more; resolves when what was being received has been, and is acknowledged. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#working);
  }

  async #give(parsed: Parsed, key: string): Promise<void> {
    const { rooms, progress } = this.#options;
    // What waited in line until it was stopped comes again another time.
    if (this.#stopping.signal.aborted) return;
    const event = await this.#named(parsed.event);
    if (parsed.channel !== undefined) rooms.learn(event.sender.id, parsed.channel);
    if (event.kind === 'message' && event.isAddressed)
      progress.heard(event.chat, parsed.isMessage ? event.id : undefined);
    if (!(await this.#store(event))) return;
    this.#remember(key);
    for (const ack of this.#waiting.get(key) ?? []) ack();
  }

  /** What is not meant for us causes no question. */
  async #named(event: PlatformEvent): Promise<PlatformEvent> {
    if (event.kind === 'message' && !event.isAddressed) return event;
    const { sender } = event;
    return { ...event, sender: { ...sender, name: await this.#options.names.of(sender.id) } };
  }

  /** Again and again until it is stored; what follows it in the chat waits. False when it was stopped before. */
  async #store(event: PlatformEvent): Promise<boolean> {
    const { receive, log, client } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; ; failures++) {
      try {
        await receive(event);
        return true;
      } catch (error) {
        log.error({ err: error }, 'a message was not taken in; it is tried again');
      }
      if (signal.aborted) return false;
      const grown = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(failures, 16));
      await sleep(client.clock, grown * (0.5 + Math.random() / 2), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (signal.aborted) return false;
    }
  }

  #remember(key: string): void {
    this.#received.add(key);
    const [oldest] = this.#received;
    if (this.#received.size > MOST_REMEMBERED && oldest !== undefined) this.#received.delete(oldest);
  }
}

/** A mention comes as an event of its own beside the message: both are one. */
function keyOf({ kind, chat, id }: PlatformEvent): string {
  return `${kind} ${chat.id} ${id}`;
}
