// Passes of the agent, one for each message: how they ended, whether they had done anything, and what they used.
import type { Selectable } from 'kysely';
import type { StoreParts } from './store.ts';
import type { Database, RunTable } from './tables.ts';

type Row = Selectable<RunTable>;

export type Run = Readonly<Omit<Row, 'startedTool'>> & { readonly startedTool: boolean };

export interface NewRun {
  readonly id: string;
  readonly sessionId: string;
  /** The process life that runs it, so that those of a dead one can be told apart. */
  readonly holder: string;
  /** Whose message led to it, such as `telegram:123`. */
  readonly requester: string;
}

/** All that it has used so far. */
export interface RunSpending {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** In millionths of the currency of the prices; null where nobody has given prices. */
  readonly costMicros: number | null;
  /** What the last answer and all before it came to, as the model's server counts; null while that is unknown. */
  readonly contextTokens: number | null;
}

export interface SessionUsage extends Omit<RunSpending, 'contextTokens'> {
  readonly runs: number;
}

export interface Runs {
  /** A run's id is used once. */
  begin(run: NewRun): Promise<void>;
  /** One that a crash cut off goes on under this holder; undefined when there is none. */
  resume(id: string, holder: string): Promise<Run | undefined>;
  spend(id: string, spending: RunSpending): Promise<void>;
  /** The same; and from now on it has tool calls. Which of them have begun stands in `begunCalls`. */
  startTool(id: string, spending: RunSpending): Promise<void>;
  /** None of its tool calls had begun: it counts as one that has none. */
  forgetTools(id: string): Promise<void>;
  /** False when it had ended already; the first end stays. With `spending`, that is written too. */
  end(id: string, state: Exclude<Run['state'], 'running'>, spending?: RunSpending): Promise<boolean>;
  find(id: string): Promise<Run | undefined>;
  /** The one that was begun last. */
  last(sessionId: string): Promise<Run | undefined>;
  /** Those that have not ended, oldest first; of a dead process they never will by themselves. */
  running(): Promise<readonly Run[]>;
  usage(sessionId: string): Promise<SessionUsage>;
}

const beginning = (db: Database, run: NewRun & { readonly startedAt: number }) =>
  db.insertInto('runs').values({
    ...run,
    ...{ inputTokens: 0, outputTokens: 0, modelCalls: 0, toolCalls: 0, startedTool: 0, state: 'running' },
  });

type Ending = { readonly id: string; readonly state: Row['state']; readonly endedAt: number };

const ending = (db: Database, { id, ...change }: Ending) =>
  db.updateTable('runs').set(change).where('id', '=', id).where('state', '=', 'running');

const endingWith = (db: Database, given: Ending & RunSpending) => ending(db, given);

const newest = (db: Database, { sessionId }: { readonly sessionId: string }) =>
  db
    .selectFrom('runs')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .orderBy('startedAt', 'desc')
    .orderBy('id')
    .limit(1);

export function runs(db: Database, { clock, prepared }: StoreParts): Runs {
  const all = db.selectFrom('runs').selectAll();
  return {
    async begin(run) {
      const { id, sessionId, holder, requester } = run;
      await prepared.run(db, beginning, { id, sessionId, holder, requester, startedAt: clock.now() });
    },
    async resume(id, holder) {
      const row = await db
        .updateTable('runs')
        .set({ state: 'running', holder, endedAt: null })
        .where('id', '=', id)
        .where('state', '=', 'cut-off')
        .returningAll()
        .executeTakeFirst();
      return row && runOf(row);
    },
    async spend(id, spending) {
      await db
        .updateTable('runs')
        .set({ ...spending })
        .where('id', '=', id)
        .execute();
    },
    async startTool(id, spending) {
      await db
        .updateTable('runs')
        .set({ ...spending, startedTool: 1 })
        .where('id', '=', id)
        .execute();
    },
    async forgetTools(id) {
      await db.updateTable('runs').set({ startedTool: 0 }).where('id', '=', id).execute();
    },
    async end(id, state, spending) {
      const end = { id, state, endedAt: clock.now() };
      const { numAffectedRows = 0n } = await (spending
        ? prepared.run(db, endingWith, { ...end, ...spending })
        : prepared.run(db, ending, end));
      return numAffectedRows > 0n;
    },
    async find(id) {
      const row = await all.where('id', '=', id).executeTakeFirst();
      return row && runOf(row);
    },
    async last(sessionId) {
      const row = await prepared.first(db, newest, { sessionId });
      return row && runOf(row);
    },
    async running() {
      const rows = await all.where('state', '=', 'running').orderBy('startedAt').orderBy('id').execute();
      return rows.map(runOf);
    },
    usage: sessionId => sumOf(db, sessionId),
  };
}

async function sumOf(db: Database, sessionId: string): Promise<SessionUsage> {
  const sums = await db
    .selectFrom('runs')
    .select(({ fn }) => [
      fn.countAll().as('runs'),
      fn.sum('inputTokens').as('inputTokens'),
      fn.sum('outputTokens').as('outputTokens'),
      fn.sum('modelCalls').as('modelCalls'),
      fn.sum('toolCalls').as('toolCalls'),
      fn.sum<number | string | null>('costMicros').as('costMicros'),
    ])
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow();
  // A sum over nothing is null, and some databases give sums as text.
  return {
    runs: Number(sums.runs),
    inputTokens: Number(sums.inputTokens),
    outputTokens: Number(sums.outputTokens),
    modelCalls: Number(sums.modelCalls),
    toolCalls: Number(sums.toolCalls),
    costMicros: sums.costMicros === null ? null : Number(sums.costMicros),
  };
}

function runOf({ startedTool, ...row }: Row): Run {
  return { ...row, startedTool: startedTool === 1 };
}
