// Long polling. An update counts as read for Telegram only when a later offset is asked for, and that happens only once
// everything before it was received: what a crash interrupts comes again (P12).
import { z } from 'zod';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { backOffMs, pause } from '../back-off.ts';
import type { ConnectOptions, PlatformState } from '../platform.ts';
import { tellChanges } from '../tell-changes.ts';
import { takeIn } from './batch.ts';
import type { Client } from './client.ts';
import { type Account, WANTED_UPDATES } from './parse.ts';

const HOLD_S = 30;
/** After a failure, so that it is known soon whether it works again. */
const PROOF_S = 1;
/** The server has to answer within `HOLD_S`; what takes longer is a dead connection. */
const TIMEOUT_MS = (HOLD_S + 15) * 1000;
const LAST_CALL_MS = 5_000;
/** A server that does not hold the call is not asked more often than this. */
const SHORTEST_PAUSE_MS = 200;
const CONFLICT_BACK_OFF_MS = 3_000;
const BACK_OFF = { firstMs: 500, longestMs: 10_000 };
const MOST_UPDATES = 100;

const webhookShape = z.object({ url: z.string() });

export interface PollOptions extends Pick<ConnectOptions, 'receive' | 'onState'> {
  readonly client: Client;
  readonly account: Account;
  readonly log: Log;
}

export class Poller {
  readonly #tell: (state: PlatformState) => void;
  readonly #options: PollOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #offset = 0;
  #ahead: ReadonlySet<number> = new Set();
  /** Of the server, in a row. */
  #failures = 0;
  /** Of our own to take something in, in a row. */
  #refusals = 0;
  /** Ends a wait for a server that could not be reached. */
  #wake: AbortController | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
    options.client.onSuccess(() => this.#succeeded());
    this.#tell = tellChanges(options.onState);
    this.#ended = this.#run();
  }

  /** Resolves when nothing is being received any more, and what was received is acknowledged. */
  async pause(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    this.#tell({ kind: 'connected' });
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        if (this.#stopping.signal.aborted) break;
        if (isHermesError(error, 'AUTH_PLATFORM_TOKEN')) {
          this.#tell({ kind: 'failed', code: error.code, reason: error.message });
          return;
        }
        const isConflict = isHermesError(error) && error.details['status'] === 409;
        this.#tell({ kind: 'offline', reason: isConflict ? await this.#conflict() : reasonOf(error) });
        await this.#backOff(error, isConflict);
      }
    }
    await this.#acknowledge();
  }

  async #step(): Promise<void> {
    const { client, account, receive, log } = this.#options;
    const began = client.clock.monotonic();
    const timeout = this.#failures === 0 ? HOLD_S : PROOF_S;
    const updates = await this.#ask({ timeout, limit: MOST_UPDATES });
    this.#failures = 0;
    this.#tell({ kind: 'connected' });
    if (updates.length === 0) {
      const waitMs = SHORTEST_PAUSE_MS - (client.clock.monotonic() - began);
      if (waitMs > 0) await this.#sleep(waitMs);
      return;
    }
    const outcome = await takeIn(updates, { account, receive, known: this.#ahead });
    if (!outcome) throw unreadable(client.endpoint.apiRoot);
    this.#offset = outcome.offset;
    this.#ahead = outcome.ahead;
    if (outcome.failure === undefined) {
      this.#refusals = 0;
      return;
    }
    // Telegram works; the message stays there until ours does again.
    log.error({ err: outcome.failure }, 'a message was not taken in; it is asked for again');
    this.#refusals += 1;
    await this.#sleep(backOffMs(this.#refusals, BACK_OFF));
  }

  async #ask(
    params: { timeout: number; limit: number },
    timeoutMs = TIMEOUT_MS,
  ): Promise<readonly unknown[]> {
    const { client } = this.#options;
    // The last call is made when it has been stopped already.
    const signal = params.timeout === 0 ? undefined : this.#stopping.signal;
    const body = { ...params, offset: this.#offset, allowed_updates: WANTED_UPDATES };
    const result = await client.call('getUpdates', body, { timeoutMs, signal });
    if (!Array.isArray(result)) throw unreadable(client.endpoint.apiRoot);
    return result;
  }

  /** A webhook of former times is removed, since updates go to it or to us; another program is the operator's business. */
  async #conflict(): Promise<string> {
    const { client, account, log } = this.#options;
    try {
      const { data } = webhookShape.safeParse(await client.call('getWebhookInfo', undefined));
      if (data && data.url !== '') {
        await client.call('deleteWebhook', {});
        log.warn(
          { host: URL.parse(data.url)?.host },
          'the webhook of the bot was removed: Hermes asks for messages',
        );
        return 'a webhook of the bot was in the way; it is removed';
      }
    } catch (error) {
      if (!isHermesError(error)) throw error;
      log.debug({ err: error }, 'whether the bot has a webhook is not known');
    }
    return `another program takes the messages of @${account.username}, and only one can. Stop it, or give it a bot of its own.`;
  }

  async #backOff(error: unknown, isConflict: boolean): Promise<void> {
    this.#failures += 1;
    const asked = isHermesError(error) ? error.details['retryAfterMs'] : undefined;
    if (typeof asked === 'number') return this.#sleep(asked);
    // Another program takes the messages although the server answers.
    if (isConflict)
      return this.#sleep(backOffMs(this.#failures, { ...BACK_OFF, firstMs: CONFLICT_BACK_OFF_MS }));
    this.#wake = new AbortController();
    await this.#sleep(backOffMs(this.#failures, BACK_OFF), this.#wake.signal);
    this.#wake = undefined;
  }

  /** Any call that works, such as an answer that was sent, says that waiting is over. */
  #succeeded(): void {
    if (!this.#wake) return;
    this.#failures = 0;
    this.#wake.abort();
  }

  /** Ends early when it is stopped. */
  async #sleep(ms: number, wake?: AbortSignal): Promise<void> {
    const { signal } = this.#stopping;
    await pause(this.#options.client.clock, ms, wake ? AbortSignal.any([signal, wake]) : signal);
  }

  /** Tells Telegram what was received; if that fails it comes again, and whoever receives it knows it. */
  async #acknowledge(): Promise<void> {
    if (this.#offset === 0) return;
    try {
      await this.#ask({ timeout: 0, limit: 1 }, LAST_CALL_MS);
    } catch (error) {
      if (!isHermesError(error)) throw error;
      this.#options.log.debug({ err: error }, 'the last messages were not acknowledged');
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unreadable(apiRoot: string): HermesError {
  const message = `What ${apiRoot} answers are no updates of the Bot API. Check \`telegram.api_root\`.`;
  return new HermesError('UNAVAILABLE_PLATFORM', message);
}
