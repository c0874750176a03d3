// The messages on their way to one chat, one after the other: what comes later waits for what came before.
import { type Clock, sleep } from '../base/clock.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Sent } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { afterFailure, LONGEST_WAIT_MS, type NextStep } from './after-failure.ts';
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
  /** Whether it is better left out than sent when it may have arrived already. */
  readonly isDispensable: (row: OutgoingMessage) => boolean;
  readonly transmit: (row: OutgoingMessage, link: Link) => Promise<Sent>;
  readonly onOutcome: (row: OutgoingMessage, outcome: Outcome) => Promise<void>;
  readonly onEmpty: () => void;
  readonly signal: AbortSignal;
}

interface Waiting {
  /** With `interrupted` as it is now. */
  row: OutgoingMessage;
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
    this.#working ??= this.#run();
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

  /** What is added while it ends is seen: between the last look and the end nothing else can happen. */
  async #run(): Promise<void> {
    do await this.#work();
    while (this.#waiting.length > 0 && !this.#parts.signal.aborted);
    this.#working = undefined;
    if (this.#waiting.length === 0) this.#parts.onEmpty();
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
      if (!(await store.together(({ outbox }) => outbox.startSending(seq)))) return true;
      next.attempts++;
      const sent = await this.#send(next, link);
      if ('problem' in sent) return await this.#failed(next, sent);
      await store.together(({ outbox }) => outbox.markSent(seq, JSON.stringify(sent.ids)));
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

  async #send(next: Waiting, link: Link | undefined): Promise<Sent | Failure> {
    const { clock, transmit } = this.#parts;
    const { row, attempts } = next;
    try {
      if (!link) throw notConnected(row.platform);
      return await transmit(row, link);
    } catch (error) {
      const step = afterFailure(error, { attempts, ageMs: clock.now() - row.createdAt });
      const { message, details } = asHermesError(error);
      const { sentIds } = details;
      // Parts that have arrived are not sent again.
      const sentId = Array.isArray(sentIds) && sentIds.length > 0 ? JSON.stringify(sentIds) : row.sentId;
      return { problem: message, step, sentId };
    }
  }

  async #failed(next: Waiting, { problem, step, sentId }: Failure): Promise<boolean> {
    const { clock, log, store, isDispensable, onOutcome } = this.#parts;
    const { row } = next;
    const { mayHaveArrived } = step;
    log.warn({ seq: row.seq, platform: row.platform, problem, step }, 'a message was not delivered');
    if (step.kind === 'give-up' || (mayHaveArrived && isDispensable(row))) {
      await store.outbox.giveUp(row.seq, { problem, mayHaveArrived });
      await onOutcome(row, { kind: 'failed', problem });
      return true;
    }
    next.dueAt = clock.now() + step.inMs;
    next.isAskedFor = step.isAskedFor;
    next.row = { ...row, sentId, interrupted: row.interrupted + (mayHaveArrived ? 1 : 0) };
    await store.outbox.postpone(row.seq, { problem, mayHaveArrived, sentId, dueAt: next.dueAt });
    return false;
  }
}

interface Failure {
  readonly problem: string;
  readonly step: NextStep;
  readonly sentId: string | null;
}

function notConnected(platform: string): HermesError {
  return new HermesError('UNAVAILABLE_PLATFORM', `There is no connection to ${platform}.`, {
    details: { platform },
  });
}
