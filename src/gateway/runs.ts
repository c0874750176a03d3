// The runs of all sessions: what waits, what runs, and what a message means that comes meanwhile.
import { asHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { Turns } from '../base/turns.ts';
import type { IncomingMessage } from '../store/inbox.ts';
import type { Session } from '../store/sessions.ts';
import { mayWorkAgain } from '../store/sqlite-errors.ts';
import { ActiveRun, type Left, type RunContext } from './active-run.ts';
import { nextBatch, steering, wordsOf } from './incoming.ts';
import { keepTrying } from './keep-trying.ts';
import { parseQuestionButton } from './question-to-person.ts';
import { RunQueue } from './run-queue.ts';

const STOPPING =
  'The gateway is being stopped. This is finished if there is time; what is not is taken up after the start.';
/** How often the end of a run is written down when the store fails in a way that it does not wait for itself. */
const MOST_WRITES = 8;

export class Runs {
  readonly #context: RunContext;
  readonly #queue: RunQueue;
  readonly #active = new Map<string, ActiveRun>();
  readonly #waiting = new Map<string, IncomingMessage[]>();
  readonly #performing = new Set<Promise<void>>();
  /** Of runs, from before they take messages until it is written down what became of them. */
  readonly #ids = new Set<string>();
  readonly #closing = new AbortController();
  /** What is done with a session's messages happens one after the other. */
  readonly #turns = new Turns();
  #isOpen = false;
  #started = 0;

  constructor(context: RunContext) {
    this.#context = context;
    this.#queue = new RunQueue(context.parts.settings.get('gateway.max_concurrent_runs'));
  }

  get counts() {
    return { active: this.#active.size, waiting: this.#queue.waiting, started: this.#started };
  }

  activeIn(sessionId: string): ActiveRun | undefined {
    return this.#active.get(sessionId);
  }

  find(runId: string): ActiveRun | undefined {
    return [...this.#active.values()].find(({ id }) => id === runId);
  }

  /** Whether what this run has taken is being dealt with. */
  knows(runId: string): boolean {
    return this.#ids.has(runId);
  }

  /** Whether what still runs is being left to the next start. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  waitingIn(sessionId: string): number {
    return this.#waiting.get(sessionId)?.length ?? 0;
  }

  /** From now on runs start. */
  open(): void {
    this.#isOpen = true;
    this.#pump();
  }

  /** A message that is in the inbox already. */
  offer(row: IncomingMessage): Promise<void> {
    return this.#turns.in(row.sessionId, () => this.#offer(row));
  }

  /** What waits in the inbox and no run knows, in order; and sessions whose turn did not come because it failed to begin. */
  async takeUp(rows: readonly IncomingMessage[]): Promise<void> {
    for (const row of rows) await this.#turns.in(row.sessionId, () => this.#offerAgain(row));
    for (const [sessionId, [first]] of this.#waiting) if (first) this.#queue.want(sessionId, first.seq);
    this.#pump();
  }

  /** Ends the run and drops what waits, as far as it came before this number; returns what there was. */
  stop(sessionId: string, before: number): Promise<{ hadRun: boolean; dropped: number }> {
    return this.#turns.in(sessionId, async () => {
      const run = this.#active.get(sessionId);
      run?.end('stopped');
      const waiting = this.#waiting.get(sessionId) ?? [];
      const dropped = waiting.filter(({ seq }) => seq < before);
      await this.#drop(sessionId, dropped);
      return { hadRun: run !== undefined, dropped: dropped.length };
    });
  }

  /** Ends what runs for people who may not speak any more; what they have said besides is dropped when its turn comes. */
  async endForbidden(): Promise<void> {
    const { admission } = this.#context.parts;
    for (const run of [...this.#active.values()])
      if ((await admission.roleOf(run.person)) === undefined) run.end('stopped');
  }

  /** A button of a question; undefined when it is none. */
  press(data: string, person: string): string | undefined {
    const button = parseQuestionButton(data);
    if (!button) return undefined;
    const run = [...this.#active.values()].find(({ id }) => button.isOf(id));
    const option = run?.question?.options[button.option];
    if (!run?.question || option === undefined) return 'That question is not open any more.';
    if (run.question.person !== person) return 'Only the person who was asked can answer.';
    run.question.answer(option);
    return option;
  }

  /** Starts nothing more, and tells the chats of what runs. */
  async announceEnd(): Promise<void> {
    this.#isOpen = false;
    const { delivery } = this.#context;
    const told = [...this.#active.values()].map(({ to }) =>
      delivery.send(to, { kind: 'text', text: STOPPING }),
    );
    const { log } = this.#context.parts.world;
    for (const each of await Promise.allSettled(told))
      if (each.status === 'rejected')
        log.warn({ error: String(each.reason) }, 'a chat was not told of the stop');
  }

  /** Waits until the signal aborts, then ends what still runs in an order that can be taken up. */
  async close(signal: AbortSignal): Promise<void> {
    const endAll = (): void => {
      this.#closing.abort();
      for (const run of this.#active.values()) run.end('shutdown');
    };
    if (signal.aborted) endAll();
    signal.addEventListener('abort', endAll, { once: true });
    await Promise.all(this.#performing);
    signal.removeEventListener('abort', endAll);
  }

  /** Read from the inbox a while ago: the run that is there now may have taken it. The next look decides. */
  async #offerAgain(row: IncomingMessage): Promise<void> {
    if (!this.#active.has(row.sessionId)) await this.#offer(row);
  }

  async #offer(row: IncomingMessage): Promise<void> {
    const run = this.#active.get(row.sessionId);
    if (this.#isWaiting(row) || (run && (await this.#giveTo(run, row)))) return;
    this.#wait(row);
    if (run && this.#busy === 'interrupt') run.end('interrupted');
    this.#pump();
  }

  get #busy(): 'interrupt' | 'queue' | 'steer' {
    return this.#context.parts.settings.get('gateway.busy');
  }

  /** Whether the run that is there takes it as the answer to its question. */
  async #giveTo(run: ActiveRun, row: IncomingMessage): Promise<boolean> {
    const { question } = run;
    if (question?.person !== row.person) return false;
    // Nothing of this session can end its run before this is written: both happen in turn.
    const taken = await this.#context.parts.world.store.inbox.take(row.sessionId, run.id, [row.seq]);
    // Files have to be fetched first; nobody else waits for that.
    if (taken.length > 0) void run.answerWith(row);
    return true;
  }

  /** With `steer`: what has come since is the run's from now on. */
  #more(run: ActiveRun): Promise<readonly string[]> {
    const sessionId = run.session.id;
    return this.#turns.in(sessionId, async () => {
      const waiting = this.#waiting.get(sessionId) ?? [];
      const given = steering(waiting, run.person);
      const { admission } = this.#context.parts;
      if (given.length === 0 || (await admission.roleOf(run.person)) === undefined) return [];
      const seqs = given.map(({ seq }) => seq);
      const taken = await this.#context.parts.world.store.inbox.take(sessionId, run.id, seqs);
      this.#keep(sessionId, waiting.slice(given.length));
      return taken.map(wordsOf);
    });
  }

  /** Taken out of what waits, and done. */
  async #drop(sessionId: string, rows: readonly IncomingMessage[]): Promise<void> {
    if (rows.length === 0) return;
    const { store } = this.#context.parts.world;
    const runId = `dropped-${newId()}`;
    const seqs = rows.map(({ seq }) => seq);
    await store.together(async ({ inbox }) => {
      await inbox.take(sessionId, runId, seqs);
      await inbox.finish(runId);
    });
    const waiting = this.#waiting.get(sessionId) ?? [];
    this.#keep(
      sessionId,
      waiting.filter(({ seq }) => !seqs.includes(seq)),
    );
  }

  /** What still waits in a session. */
  #keep(sessionId: string, rest: IncomingMessage[]): void {
    const [first] = rest;
    this.#queue.forget(sessionId);
    if (first) this.#queue.want(sessionId, first.seq);
    if (first) this.#waiting.set(sessionId, rest);
    else this.#waiting.delete(sessionId);
  }

  #wait(row: IncomingMessage): void {
    const rows = [...(this.#waiting.get(row.sessionId) ?? []), row];
    this.#waiting.set(
      row.sessionId,
      rows.toSorted((a, b) => a.seq - b.seq),
    );
    this.#queue.want(row.sessionId, row.seq);
  }

  #isWaiting({ sessionId, seq }: IncomingMessage): boolean {
    return this.#waiting.get(sessionId)?.some(each => each.seq === seq) ?? false;
  }

  #pump(): void {
    if (!this.#isOpen) return;
    for (let id = this.#queue.next(); id !== undefined; id = this.#queue.next()) {
      const sessionId = id;
      const performing: Promise<void> = this.#perform(sessionId)
        .catch(error => {
          const { log } = this.#context.parts.world;
          log.error(
            { session: sessionId, error: asHermesError(error).message },
            'a run was not begun or not written down; the next look over the inbox takes it up',
          );
        })
        .finally(() => {
          this.#performing.delete(performing);
          this.#active.delete(sessionId);
          this.#queue.end(sessionId);
          this.#pump();
        });
      this.#performing.add(performing);
    }
  }

  async #perform(sessionId: string): Promise<void> {
    const begun = await this.#turns.in(sessionId, () => this.#begin(sessionId));
    if (!begun) return;
    const { run } = begun;
    this.#started++;
    try {
      const more = this.#busy === 'steer' ? () => this.#more(run) : undefined;
      await this.#write({ ...begun, ...(await run.perform(begun.batch, more)) });
    } finally {
      this.#ids.delete(run.id);
    }
  }

  /** Its answer is kept until it stands in the store, and nothing else of the session begins before. */
  async #write(ended: Ended): Promise<void> {
    const { clock, store } = this.#context.parts.world;
    let failures = 0;
    try {
      await keepTrying(() => this.#turns.in(ended.run.session.id, () => this.#conclude(ended)), {
        ...{ clock, signal: this.#closing.signal },
        mayPass: error => mayWorkAgain(error) || ++failures < MOST_WRITES,
      });
    } catch (error) {
      // The answer then stands in the history, from where the reconciler sends it.
      if (ended.end) await store.together(ended.end);
      throw error;
    }
  }

  async #conclude({ run, batch, parcel, inbox, end }: Ended): Promise<void> {
    const sessionId = run.session.id;
    await this.#context.delivery.sendWith([parcel], async repositories => {
      await end?.(repositories);
      if (inbox === 'finish') await repositories.inbox.finish(run.id);
      if (inbox === 'put-back') await repositories.inbox.putBack(run.id);
    });
    this.#active.delete(sessionId);
    // It comes first again, and with what interrupted it.
    if (inbox === 'put-back') this.#keep(sessionId, [...batch, ...(this.#waiting.get(sessionId) ?? [])]);
  }

  async #begin(sessionId: string): Promise<Begun | undefined> {
    const { admission, world } = this.#context.parts;
    const { store } = world;
    const waiting = this.#waiting.get(sessionId) ?? [];
    const wanted = nextBatch(waiting);
    const [first] = wanted;
    const session: Session | undefined = await store.sessions.find(sessionId);
    if (!first || !session) {
      this.#waiting.delete(sessionId);
      return undefined;
    }
    // Much may have been decided since it came (P1).
    const role = await admission.roleOf(first.person);
    if (role === undefined) {
      await this.#drop(sessionId, wanted);
      return undefined;
    }
    const run = new ActiveRun(this.#context, session, { first, role });
    const batch = await this.#take(run, wanted);
    const seqs = wanted.map(({ seq }) => seq);
    this.#keep(
      sessionId,
      waiting.filter(({ seq }) => !seqs.includes(seq)),
    );
    if (batch.length === 0) return undefined;
    this.#active.set(sessionId, run);
    return { run, batch };
  }

  /** What of it still waits in the store: it may have been dealt with since it was read there. */
  async #take(run: ActiveRun, wanted: readonly IncomingMessage[]): Promise<readonly IncomingMessage[]> {
    const { store } = this.#context.parts.world;
    const seqs = wanted.map(({ seq }) => seq);
    this.#ids.add(run.id);
    try {
      const taken = await store.together(({ inbox }) => inbox.take(run.session.id, run.id, seqs));
      if (taken.length === 0) this.#ids.delete(run.id);
      return taken;
    } catch (error) {
      this.#ids.delete(run.id);
      throw error;
    }
  }
}

interface Begun {
  readonly run: ActiveRun;
  readonly batch: readonly IncomingMessage[];
}

interface Ended extends Begun, Left {}
