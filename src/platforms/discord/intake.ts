// Takes in what Discord dispatches: channels side by side, each in its order, and each event until it is stored. Only then is
// its number acknowledged (P12).
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Turns } from '../../base/turns.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { PlatformEvent } from '../platform.ts';
import type { Dispatch } from './frames.ts';
import type { Interactions } from './interactions.ts';
import type { GatewaySession, Kept } from './kept.ts';
import { type Account, type ParseOptions, parseInteraction, parseMessage, placeIn } from './parse.ts';
import { type Interaction, interactionShape, type Message, messageShape } from './payload.ts';
import type { Places } from './places.ts';
import { Sequence } from './sequence.ts';

const BACK_OFF = { firstMs: 500, longestMs: 10_000 };
/** More are left with Discord, which hands them out again. */
const MOST_WAITING = 5000;

export interface IntakeOptions extends Pick<ParseOptions, 'freeChannels' | 'threads'> {
  readonly account: Account;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: Places;
  readonly interactions: Interactions;
  readonly kept: Kept;
  readonly receive: (event: PlatformEvent) => Promise<void>;
  /** A message is to be answered in a thread that is opened from it. */
  readonly onTopic: (messageId: string, text: string) => void;
  /** A server came into view. */
  readonly onGuild: (payload: unknown) => void;
  /** What was left with Discord has room now. */
  readonly onRoom: () => void;
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #stopping = new AbortController();
  readonly #turns = new Turns();
  readonly #working = new Set<Promise<void>>();
  #sequence: Sequence;
  #isFull = false;
  /** While something is looked for in the past, what is new says nothing about it. */
  #searches = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#sequence = new Sequence(options.kept.session?.sequence ?? 0);
  }

  get acknowledged(): number {
    return this.#sequence.acknowledged;
  }

  begin(session: GatewaySession): void {
    this.#sequence = new Sequence(session.sequence);
    this.#options.kept.keepSession(session);
  }

  take({ t, s, d }: Dispatch): void {
    if (this.#stopping.signal.aborted || this.#isFull) return;
    const sequence = this.#sequence;
    if (sequence.waiting >= MOST_WAITING) {
      this.#isFull = true;
      this.#options.log.warn('too many events wait to be stored; the next ones are left with Discord');
      return;
    }
    if (!sequence.begin(s)) return;
    const work = this.#workFor(t, d);
    if (!work) return void sequence.end(s);
    this.#do(work.channel, async () => {
      if (!(await this.#untilDone(work.run))) return;
      sequence.end(s);
      this.#note(work.message);
      if (this.#isFull && sequence.waiting === 0) {
        this.#isFull = false;
        this.#options.onRoom();
      }
    });
  }

  /** A message that was found in the past of a channel. Resolves when it is stored; false when it is not, since all ends. */
  takeMissed(payload: unknown, guildId: string | undefined): Promise<boolean> {
    const found = messageShape.safeParse(payload).data;
    if (!found) return Promise.resolve(true);
    const message = { ...found, ...(guildId === undefined ? {} : { guild_id: guildId }) };
    const done = Promise.withResolvers<boolean>();
    this.#do(message.channel_id, async () => done.resolve(await this.#untilDone(() => this.#hand(message))));
    return done.promise;
  }

  /** Keeps the place in the past until it was searched. */
  async searching(search: () => Promise<void>): Promise<void> {
    this.#searches += 1;
    try {
      await search();
    } finally {
      this.#searches -= 1;
    }
  }

  /** Resolves when nothing is being received any more; what still waited comes again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#working);
  }

  #do(channel: string, work: () => Promise<void>): void {
    const working: Promise<void> = this.#turns
      .in(channel, work)
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'an event was not taken in'))
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Undefined when nobody has to wait for anything. */
  #workFor(
    type: string,
    data: unknown,
  ): { readonly channel: string; readonly run: () => Promise<void>; readonly message?: Message } | undefined {
    const { places, interactions } = this.#options;
    if (type === 'MESSAGE_CREATE') {
      const message = messageShape.safeParse(data).data;
      return message && { channel: message.channel_id, run: () => this.#hand(message), message };
    }
    if (type === 'INTERACTION_CREATE') {
      const interaction = interactionShape.safeParse(data).data;
      if (!interaction) return undefined;
      interactions.began(interaction);
      return { channel: interaction.channel.id, run: () => this.#handInteraction(interaction) };
    }
    if (type === 'GUILD_CREATE') this.#options.onGuild(data);
    if (type === 'THREAD_CREATE' || type === 'THREAD_UPDATE') places.noteThread(data);
    if (type === 'THREAD_LIST_SYNC') places.noteThreads(data);
    return undefined;
  }

  async #hand(message: Message): Promise<void> {
    const { account, places, freeChannels, threads, receive, onTopic } = this.#options;
    // Most of what is said is said by bots or by ourselves; nobody is asked about that.
    if (message.author.bot || message.author.id === account.id) return;
    const place = await places.find(message);
    const event = parseMessage(message, { account, place, freeChannels, threads });
    if (!event) return;
    if (event.kind === 'message' && event.chat.thread === event.id) onTopic(event.id, event.text);
    await receive(event);
  }

  async #handInteraction(interaction: Interaction): Promise<void> {
    const { account, receive, interactions, kept } = this.#options;
    const event = parseInteraction(interaction, account);
    if (event) await receive(event);
    if (event?.chat.kind === 'private') kept.keepPrivate(event.chat.id);
    interactions.stored(interaction);
  }

  /** Again and again, until it works. False when it is stopped before. */
  async #untilDone(run: () => Promise<void>): Promise<boolean> {
    const { clock, log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; ; failures++) {
      if (signal.aborted) return false;
      try {
        await run();
        return true;
      } catch (error) {
        if (failures === 0) log.error({ err: error }, 'a message was not taken in; it is tried again');
        await pause(clock, backOffMs(failures + 1, BACK_OFF), signal);
      }
    }
  }

  #note(message: Message | undefined): void {
    const { kept } = this.#options;
    if (message && message.guild_id === undefined && placeIn(message).kind === 'private')
      kept.keepPrivate(message.channel_id);
    if (message && this.#searches === 0 && this.#sequence.waiting === 0) kept.keepNewest(message.id);
    const { session } = kept;
    if (session) kept.keepSession({ ...session, sequence: this.acknowledged });
  }
}
