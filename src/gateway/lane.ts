// The messages on their way to one chat, one after the other: what comes later waits for what came before.
import { type Clock, sleep } from '../base/clock.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Sent } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { afterFailure, isTooOld, LONGEST_WAIT_MS, type NextStep } from './after-failure.ts';
import type { Link } from './links.ts';

export type Outcome =
  | { readonly kind: 'sent'; readonly ids: readonly string[] }
  /** `isTooOld`: it has been tried for as long as anybody may want it. */
  | { readonly kind: 'failed'; readonly problem: string; readonly isTooOld?: boolean };

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
  /** Its age is counted from then. */
  readonly since: number;
  /** What the platform has done with it, until that is written down: what was sent is not sent again. */
  came: Sent | Failure | undefined;
  /** How often the store has failed over it, in a row. */
  unwritten: number;
}

/** How long one that is older than anybody wants is tried by a gateway that was started only now. */
const LAST_CHANCE_MS = 600_000;
const FIRST_WRITE_PAUSE_MS = 500;
/** After that many failures it is left to the next look over the store; nothing else waits for it any longer. */
const MOST_UNWRITTEN = 6;

export class Lane {
  readonly #parts: LaneParts;
  readonly #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;
  #pause: AbortController | undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** In the order of their numbers, whatever the order in which they come; one that is here already is not added again. */
  add(row: OutgoingMessage): void {
    if (this.has(row.seq)) return;
    const { attempts, dueAt, createdAt } = row;
    const since = Math.max(createdAt, this.#parts.clock.now() + LAST_CHANCE_MS - LONGEST_WAIT_MS);
    const waiting = { row, attempts, dueAt, since, isAskedFor: false, came: undefined, unwritten: 0 };
    const at = this.#waiting.findLastIndex(each => each.row.seq < row.seq) + 1;
    this.#waiting.splice(at, 0, waiting);
    // What waits for its time is not the next one any more.
    if (at === 0) this.#pause?.abort();
    this.#working ??= this.#run();
  }

  has(seq: number): boolean {
    return this.#waiting.some(({ row }) => row.seq === seq);
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
      const until = link || next.came ? next.dueAt : next.since + LONGEST_WAIT_MS;
      if (until > clock.now()) await this.#sleep(until - clock.now());
      else if (await this.#attempt(next, link)) this.#waiting.splice(this.#waiting.indexOf(next), 1);
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
    const { store } = this.#parts;
    const { seq } = next.row;
    try {
      if (!next.came) {
        if (!(await store.together(({ outbox }) => outbox.startSending(seq)))) return true;
        next.attempts++;
        next.came = await this.#send(next, link);
      }
      const isDone = await this.#write(next, next.came);
      [next.came, next.unwritten] = [undefined, 0];
      return isDone;
    } catch (error) {
      return this.#isLeft(next, error);
    }
  }

  async #write(next: Waiting, came: Sent | Failure): Promise<boolean> {
    if ('problem' in came) return this.#failed(next, came);
    const { store, onOutcome } = this.#parts;
    await store.together(({ outbox }) => outbox.markSent(next.row.seq, JSON.stringify(came.ids)));
    await onOutcome(next.row, { kind: 'sent', ids: came.ids });
    return true;
  }

  /** The store does not answer: what comes later waits too, but not for ever. */
  #isLeft(next: Waiting, error: unknown): boolean {
    const { clock, log } = this.#parts;
    log.error(
      { seq: next.row.seq, error: asHermesError(error).message },
      'what became of a message was not written down',
    );
    next.unwritten++;
    next.dueAt = clock.now() + FIRST_WRITE_PAUSE_MS * 2 ** next.unwritten;
    return next.unwritten >= MOST_UNWRITTEN;
  }

  async #send(next: Waiting, link: Link | undefined): Promise<Sent | Failure> {
    const { clock, transmit } = this.#parts;
    const { row, attempts, since } = next;
    try {
      if (!link) throw notConnected(row.platform);
      return await transmit(row, link);
    } catch (error) {
      const step = afterFailure(error, { attempts, ageMs: clock.now() - since });
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
      await onOutcome(row, { kind: 'failed', problem, isTooOld: isTooOld(clock.now() - next.since) });
      return true;
    }
    next.dueAt = clock.now() + step.inMs;
    next.isAskedFor = step.isAskedFor;
    await store.outbox.postpone(row.seq, { problem, mayHaveArrived, sentId, dueAt: next.dueAt });
    next.row = { ...row, sentId, interrupted: row.interrupted + (mayHaveArrived ? 1 : 0) };
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
