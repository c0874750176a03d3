// The agent: one message of a person in, a stream of events out. It knows no platform; who may speak, and one run at a
// time for each session, is for whoever calls it to see to.
import type { SessionUsage } from '../store/runs.ts';
import type { Session } from '../store/sessions.ts';
import type { AgentParts } from './agent-parts.ts';
import { EventQueue } from './event-queue.ts';
import type { AgentEvent, Turn } from './events.ts';
import { performRun } from './perform-run.ts';
import { type CutOffRun, type RecoverOptions, recoverRuns } from './recover.ts';

export class Agent {
  readonly #parts: AgentParts;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /**
   * Begins when it is first asked for an event, and ends with `done`, whatever happens; it throws nothing. Whoever stops
   * listening before cancels the run; that resolves when everything of it has ended. The id of a run is used once.
   */
  async *run(session: Session, turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
    const events = new EventQueue();
    const gone = new AbortController();
    const signal = AbortSignal.any([turn.signal, gone.signal]);
    const performing = performRun({ parts: this.#parts, session, turn, signal, events }).finally(() =>
      events.end(),
    );
    try {
      yield* events;
    } finally {
      gone.abort(new Error('nobody listens to the run any more'));
      await performing;
    }
  }

  /** At start, before any run: closes what earlier process lives left in the middle, and says what to tell (P10). */
  recover(options: RecoverOptions = {}): Promise<readonly CutOffRun[]> {
    return recoverRuns(this.#parts, options);
  }

  /** What a session has used in all its runs. */
  usage(sessionId: string): Promise<SessionUsage> {
    return this.#parts.world.store.runs.usage(sessionId);
  }
}
