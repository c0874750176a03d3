// Looks for what was said while nobody listened, when Discord has forgotten the session that would have told: in the private
// channels that are known, and in those of servers that have something newer. Presses and commands cannot be found so.
import { isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Limits } from '../limits.ts';
import type { Client } from './client.ts';
import type { Intake } from './intake.ts';
import type { Kept } from './kept.ts';
import { type Channel, historyShape, sentShape } from './payload.ts';

/** Discord counts from the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000n;
/** What is older is not answered any more. */
const OLDEST_MS = 86_400_000;
const PAGE = 100;
const MOST_PAGES = 5;
const MOST_CHANNELS = 300;
/** Servers come into view within this time after a session began. */
const WINDOW_MS = 60_000;

export interface CatchUpOptions {
  readonly client: Client;
  readonly intake: Intake;
  readonly kept: Kept;
  readonly limits: Limits;
  readonly log: Log;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  #since: string | undefined;
  #endsAt = 0;
  #channels = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** A session began: what came after the newest message that was stored may be missing. */
  begin(): void {
    const { client, kept } = this.#options;
    const { clock } = client;
    this.#channels = 0;
    this.#endsAt = clock.monotonic() + WINDOW_MS;
    const { newest } = kept;
    // Where nothing was ever stored, nothing was missed.
    if (newest === undefined) kept.keepNewest(idAt(clock.now()));
    this.#since = newest === undefined ? undefined : later(newest, idAt(clock.now() - OLDEST_MS));
    if (this.#since === undefined) return;
    for (const channel of kept.privates.toReversed()) this.#search(channel, undefined);
  }

  /** A server came into view. */
  look({ id, channels }: { readonly id: string; readonly channels: readonly Channel[] }): void {
    const since = this.#since;
    if (since === undefined || this.#options.client.clock.monotonic() > this.#endsAt) return;
    for (const { id: channel, last_message_id: last } of channels) {
      if (last && BigInt(last) > BigInt(since)) this.#search(channel, id);
    }
  }

  /** One channel after the other; what fails is said, and costs nothing else. */
  #search(channel: string, guild: string | undefined): void {
    const { intake, log } = this.#options;
    this.#channels += 1;
    if (this.#channels > MOST_CHANNELS) {
      log.warn({ channel }, 'too many channels have something new; this one is not looked at');
      return;
    }
    const before = this.#last;
    const since = this.#since ?? '0';
    this.#last = intake.searching(async () => {
      await Promise.allSettled([before]);
      try {
        await this.#read(channel, guild, since);
      } catch (error) {
        if (!isHermesError(error)) throw error;
        log.warn({ err: error, channel }, 'what was said meanwhile could not be read');
      }
    });
    this.#last.catch((error: unknown) => log.error({ err: error }, 'the search for missed messages failed'));
  }

  async #read(channel: string, guild: string | undefined, since: string): Promise<void> {
    const { client, intake, limits, log } = this.#options;
    let after = since;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { after, limit: String(PAGE) };
      const path = `/channels/${channel}/messages` as const;
      const heeding = { limit: 'wait', signal: client.closing } as const;
      const answer = await limits.heed(channel, heeding, () =>
        client.call({ method: 'GET', path, what: 'tell what was said', query }),
      );
      const messages = inOrder(historyShape.safeParse(answer).data ?? []);
      for (const message of messages) if (!(await intake.takeMissed(message, guild))) return;
      const last = messages.at(-1);
      if (!last || messages.length < PAGE) return;
      after = last.id;
    }
    log.warn(
      { channel },
      `more than ${PAGE * MOST_PAGES} messages were missed; the newest are not looked at`,
    );
  }
}

/** Ids of that moment are as large. */
function idAt(timeMs: number): string {
  return String((BigInt(timeMs) - EPOCH_MS) << 22n);
}

function later(one: string, other: string): string {
  return BigInt(one) > BigInt(other) ? one : other;
}

/** Discord lists the newest first. */
function inOrder(messages: readonly unknown[]): readonly { readonly id: string }[] {
  const readable = messages.flatMap(each => {
    const id = sentShape.safeParse(each).data?.id;
    return id === undefined ? [] : [{ ...(each as object), id }]; // it has the field, so it is an object
  });
  return readable.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}
