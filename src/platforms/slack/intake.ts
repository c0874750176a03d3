// What comes in over the socket: parsed, each once, in order for each chat, and acknowledged when it was stored (P12). Slack
// sends events again that are not acknowledged within three seconds; such a repeat waits for the first. It never sends
// commands and presses again, and shows an error after three seconds: one that is not stored by then is acknowledged, and the
// person is told that it is not saved yet. So nothing is lost unseen, not even in a crash.
import type { Log } from '../../base/log.ts';
import { Turns } from '../../base/turns.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { ConnectOptions, PlatformEvent } from '../platform.ts';
import { Recent } from '../recent.ts';
import type { Client } from './client.ts';
import type { Names } from './names.ts';
import { type Parsed, type ParseOptions, parseEnvelope } from './parse.ts';
import type { Progress } from './progress.ts';
import type { Rooms } from './rooms.ts';
import type { Envelope } from './session.ts';

const BACK_OFF = { firstMs: 500, longestMs: 10_000 };
/** Slack repeats something for five minutes at most. */
const MOST_REMEMBERED = 5000;
/** More are not acknowledged: Slack sends events again, and shows an error for commands and presses. */
const MOST_WAITING = 5000;
/** Of the three seconds; the rest is for the way. */
const ACKNOWLEDGE_MS = 1500;
const NOT_SAVED =
  'Hermes is slow and has not saved this yet. It keeps trying; if nothing happens in a minute, try again.';

type Ack = Envelope['ack'];

export interface IntakeOptions {
  readonly client: Client;
  readonly rooms: Rooms;
  readonly names: Names;
  readonly progress: Progress;
  readonly receive: ConnectOptions['receive'];
  /** Only the person who pressed sees it. */
  readonly answerPress: (eventId: string, text: string) => Promise<void>;
  readonly log: Log;
  readonly parsing: () => ParseOptions;
}

interface Begin {
  readonly parsed: Parsed;
  /** The same for every repeat. */
  readonly key: string;
  readonly ack: Ack;
  /** A command or a press. */
  readonly isSentOnce: boolean;
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #turns = new Turns();
  readonly #stopping = new AbortController();
  /** Who waits for each event that is being received. */
  readonly #waiting = new Map<string, Ack[]>();
  readonly #received = new Recent<'received'>(MOST_REMEMBERED);
  readonly #working = new Set<Promise<void>>();
  #isFull = false;

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
    else if (this.#waiting.size < MOST_WAITING)
      this.#begin({ parsed, key, ack, isSentOnce: type !== 'events_api' });
    else this.#leave();
  }

  /** Said once, until there is room again. */
  #leave(): void {
    if (!this.#isFull)
      this.#options.log.warn('too many events wait to be stored; the next ones are left with Slack');
    this.#isFull = true;
  }

  #begin({ parsed, key, ack, isSentOnce }: Begin): void {
    this.#waiting.set(key, [ack]);
    const late = isSentOnce
      ? this.#options.client.clock.after(ACKNOWLEDGE_MS, () => this.#acknowledgeLate(parsed.event, key))
      : undefined;
    const work: Promise<void> = this.#turns
      .in(parsed.event.chat.id, () => this.#give(parsed, key))
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'an event was not taken in'))
      .finally(() => {
        late?.cancel();
        this.#waiting.delete(key);
        this.#isFull = false;
        this.#working.delete(work);
      });
    this.#working.add(work);
  }

  /** Although it is not stored: Slack waits no longer. */
  #acknowledgeLate(event: PlatformEvent, key: string): void {
    const { log, answerPress } = this.#options;
    log.warn({ kind: event.kind }, 'acknowledged a command or a button press that is not stored yet');
    const acks = this.#waiting.get(key)?.splice(0) ?? [];
    for (const ack of acks) ack(event.kind === 'message' ? NOT_SAVED : undefined);
    if (event.kind !== 'button') return;
    answerPress(event.id, NOT_SAVED).catch((error: unknown) =>
      log.warn({ err: error }, 'could not tell the person that their button press is not stored yet'),
    );
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
    this.#received.set(key, 'received');
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
      await pause(client.clock, backOffMs(failures + 1, BACK_OFF), signal);
      if (signal.aborted) return false;
    }
  }
}

/** A mention comes as an event of its own beside the message: both are one. */
function keyOf({ kind, chat, id }: PlatformEvent): string {
  return `${kind} ${chat.id} ${id}`;
}
