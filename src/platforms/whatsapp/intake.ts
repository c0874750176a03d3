// Takes in what a webhook brought: who it was, then each chat in its order, each message once. What could not be received
// makes WhatsApp bring the whole of it again (P12).

import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { retry } from '../../base/retry.ts';
import { Turns } from '../../base/turns.ts';
import type { Chat, ConnectOptions, PlatformEvent } from '../platform.ts';
import { Recent } from '../recent.ts';
import { type Account, eventOf, type FailedStatus, parsePayload } from './parse.ts';
import type { PeopleBook } from './people-book.ts';

export interface IntakeOptions extends Pick<ConnectOptions, 'receive'> {
  readonly account: Account;
  readonly book: PeopleBook;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when it is written down that the message did not arrive. */
  readonly onFailed: (status: FailedStatus) => Promise<void>;
}

/** What fails for a moment is tried again here, so that it stays before what follows it. */
const ATTEMPTS = 4;
const REMEMBERED = 2000;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #turns = new Turns();
  readonly #received = new Recent<'received'>(REMEMBERED);
  /** By chat: what was said last, which a sign of typing needs. */
  readonly #last = new Recent<string>(REMEMBERED);
  readonly #pressed = new Recent<Chat>(REMEMBERED);
  #refusal: HermesError | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The message that was said last in a chat, as far as that is remembered. */
  lastIn(chat: Chat): string | undefined {
    return this.#last.get(chat.id);
  }

  /** Where somebody pressed a button. */
  chatOfPress(eventId: string): Chat | undefined {
    return this.#pressed.get(eventId);
  }

  /** From now on nothing is taken: it could not be answered. It comes again until somebody mends it. */
  refuse(reason: string): void {
    this.#refusal = new HermesError('AUTH_PLATFORM_TOKEN', reason);
  }

  async take(payload: unknown): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    const { account, book, onFailed } = this.#options;
    const parsed = parsePayload(payload, account);
    const events: PlatformEvent[] = [];
    for (const said of parsed.said) {
      const event = eventOf(said, await book.identify(said.from), account);
      if (event) events.push(event);
    }
    const groups = Map.groupBy(events, ({ chat }) => chat.id);
    const ends = await Promise.allSettled([
      ...[...groups.values()].map(group => this.#inOrder(group)),
      ...parsed.failed.map(onFailed),
    ]);
    const failed = ends.find(end => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Throws where one was not received; what follows it in the chat waits for it. */
  async #inOrder(events: readonly PlatformEvent[]): Promise<void> {
    for (const event of events) await this.#turns.in(event.chat.id, () => this.#once(event));
  }

  async #once(event: PlatformEvent): Promise<void> {
    if (this.#received.has(event.id)) return;
    const { receive, clock, log } = this.#options;
    if (event.kind === 'button') this.#pressed.set(event.id, event.chat);
    this.#last.set(event.chat.id, event.id);
    await retry(() => receive(event), {
      clock,
      attempts: ATTEMPTS,
      mayPass: () => true,
      onRetry: error => log.error({ err: error }, 'a message was not taken in; it is tried again'),
    });
    this.#received.set(event.id, 'received');
  }
}
