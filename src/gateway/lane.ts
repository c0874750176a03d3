// The messages on their way to one chat, one after the other: what comes later waits for what came before.
import { type Clock, sleep } from '../base/clock.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Sent } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { afterFailure, LONGEST_WAIT_MS } from './after-failure.ts';
import type { Link } from './links.ts';

export type Outcome =
  | { readonly kind: 'sent'; readonly ids: readonly string[] }
  | { readonly kind: 'failed'; readonly problem: string };

export interface LaneParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the lane's platform; undefined while there is no connection. */
  readonly link: () => Link | undefined;
  readonly transmit: (row: OutgoingMessage, link: Link) => Promise<Sent>;
  readonly onOutcome: (row: OutgoingMessage, outcome: Outcome) => Promise<void>;
  readonly onEmpty: () => void;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly row: OutgoingMessage;
  attempts: number;
  dueAt: number;
  isAskedFor: boolean;
}

export class Lane {
  readonly #parts: LaneParts;
  readonly #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;
  #pause: AbortController | undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  add(row: OutgoingMessage): void {
    const { attempts, dueAt } = row;
    this.#waiting.push({ row, attempts, dueAt, isAskedFor: false });
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#waiting.length === 0) this.#parts.onEmpty();
    });
  }

  /** The connection is there again: what waits for nothing else goes now. */
  wake(): void {
    const [first] = this.#waiting;
    if (first && !first.isAskedFor) first.dueAt = 0;
    this.#pause?.abort();
  }

  /** Resolves when nothing is being sent any more. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, signal } = this.#parts;
    for (let next = this.#waiting[0]; next && !signal.aborted; next = this.#waiting[0]) {
      const link = this.#parts.link();
      const tooLateAt = next.row.createdAt + LONGEST_WAIT_MS;
      const until = link ? next.dueAt : tooLateAt;
      if (until > clock.now()) await this.#sleep(until - clock.now());
      else if (await this.#attempt(next, link)) this.#waiting.shift();
    }
  }

  async #sleep(ms: number): Promise<void> {
    const pause = new AbortController();
    this.#pause = pause;
    try {
      await sleep(this.#parts.clock, ms, AbortSignal.any([pause.signal, this.#parts.signal]));
    } catch (error) {
      if (!pause.signal.aborted && !this.#parts.signal.aborted) throw error;
    } finally {
      this.#pause = undefined;
    }
  }

  /** Whether it is dealt with. */
  async #attempt(next: Waiting, link: Link | undefined): Promise<boolean> {
    const { store, log } = this.#parts;
    const { seq } = next.row;
    try {
      if (!(await store.outbox.startSending(seq))) return true;
      next.attempts++;
      const sent = await this.#send(next, link);
      if (!sent) return false;
      if ('problem' in sent) {
        await store.outbox.giveUp(seq, sent.problem);
        await this.#parts.onOutcome(next.row, { kind: 'failed', problem: sent.problem });
        return true;
      }
      await store.outbox.markSent(seq, JSON.stringify(sent.ids));
      await this.#parts.onOutcome(next.row, { kind: 'sent', ids: sent.ids });
    } catch (error) {
      // The store does not answer. The row says `sending`: the next start knows that it may have arrived.
      log.error(
        { seq, error: asHermesError(error).message },
        'what became of a message was not written down',
      );
    }
    return true;
  }

  /** Undefined when it is to be tried again later. */
  async #send(next: Waiting, link: Link | undefined): Promise<Sent | { problem: string } | undefined> {
    const { clock, log, transmit, store } = this.#parts;
    const { row } = next;
    try {
      if (!link) throw notConnected(row.platform);
      return await transmit(row, link);
    } catch (error) {
      const problem = asHermesError(error).message;
      const step = afterFailure(error, { attempts: next.attempts, ageMs: clock.now() - row.createdAt });
      log.warn({ seq: row.seq, platform: row.platform, problem, step }, 'a message was not delivered');
      if (step.kind === 'give-up') return { problem };
      next.dueAt = clock.now() + step.inMs;
      next.isAskedFor = step.isAskedFor;
      await store.outbox.postpone(row.seq, { problem, dueAt: next.dueAt });
      return undefined;
    }
  }
}

function notConnected(platform: string): HermesError {
  return new HermesError('UNAVAILABLE_PLATFORM', `There is no connection to ${platform}.`, {
    details: { platform },
  });
}
