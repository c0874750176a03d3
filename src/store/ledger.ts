// The ledger of sandboxes: each has a row before anything of it is created, and the row outlives it (P4).
import { type Selectable, sql } from 'kysely';
import type { Enforcement } from '../backends/backend.ts';
import { atomically } from './atomically.ts';
import { LIVE_STATES, type NextState, predecessorsOf, type SandboxState } from './sandbox-states.ts';
import type { StoreParts } from './store.ts';
import type { Database, SandboxTable } from './tables.ts';

type Row = Selectable<SandboxTable>;

/** `policy` is plain JSON that whoever wrote it also reads. */
export type LedgerEntry = Readonly<Omit<Row, 'policy' | 'enforcement'>> & {
  readonly policy: unknown;
  readonly enforcement: Enforcement | null;
};

export interface NewSandbox {
  readonly id: string;
  readonly installation: string;
  /** Absent = for the warm pool. */
  readonly sessionId?: string;
  readonly backend: string;
  readonly whenIdle: 'suspend' | 'destroy';
  readonly policyHash: string;
  /** Plain JSON, without the values of variables (P7). */
  readonly policy: unknown;
  /** When making it must be over. */
  readonly deadline: number;
  /** The process life that makes it. */
  readonly stepBy?: string;
}

/** What is learnt with a move. */
export interface Learnt {
  readonly name?: string;
  /** How far its limits hold, as the driver found. */
  readonly enforcement?: Enforcement;
  /** Redacted when it is written. */
  readonly problem?: string;
  /** When the step that begins must be over; a state in which nothing is under way has none. */
  readonly deadline?: number;
  /** The process life that begins it. */
  readonly stepBy?: string;
}

/** What a caller has seen of a row: nobody has used or moved it since. */
export type Seen = Pick<LedgerEntry, 'state' | 'stateSince'>;

export interface LedgerFilter {
  readonly states?: readonly SandboxState[];
  readonly sessionId?: string;
}

export interface Ledger {
  /** Writes `creating` down. Throws, so that nothing is created, when the session has a sandbox already. */
  enter(sandbox: NewSandbox): Promise<LedgerEntry>;
  find(id: string): Promise<LedgerEntry | undefined>;
  /** The sandbox that belongs to the session now. */
  findLive(sessionId: string): Promise<LedgerEntry | undefined>;
  /** Oldest first. */
  list(filter?: LedgerFilter): Promise<readonly LedgerEntry[]>;
  /**
   * Undefined, and nothing changed, when it is not in a state from which that may follow (sandbox-states.ts), or not as
   * it was `seen` any more.
   */
  move(id: string, next: NextState, learnt?: Learnt, seen?: Seen): Promise<LedgerEntry | undefined>;
  /** Hands one of the warm pool over; undefined when it is not ready, given away, or the session has another. */
  claim(id: string, sessionId: string): Promise<LedgerEntry | undefined>;
  /**
   * Gives the session another sandbox in place of its own, in one step: the old one is being destroyed from then on.
   * Undefined, and nobody's sandbox changed, when the old one has been used or moved since, or the new one is somebody's.
   */
  replace(old: LedgerEntry, id: string, learnt: Learnt): Promise<LedgerEntry | undefined>;
  /** Keeps the state and remembers that it could not be removed, why, and when to try again. */
  postpone(id: string, failure: { readonly problem: string; readonly retryAt: number }): Promise<void>;
  /** How far the limits held in the newest sandbox of each policy, by its hash. */
  enforcements(): Promise<ReadonlyMap<string, Enforcement>>;
  /** Forgets those that have been gone since before then; returns how many. */
  forgetGone(before: number): Promise<number>;
}

export function ledger(db: Database, { clock, redact }: StoreParts): Ledger {
  const hidden = (learnt: Learnt): Learnt =>
    learnt.problem === undefined ? learnt : { ...learnt, problem: redact(learnt.problem) };
  const all = db.selectFrom('sandboxes').selectAll();
  return {
    async enter({ sessionId = null, stepBy = null, policy, ...rest }) {
      const now = clock.now();
      const row = await db
        .insertInto('sandboxes')
        .values({
          ...rest,
          ...{ sessionId, stepBy },
          policy: JSON.stringify(policy),
          state: 'creating',
          createdAt: now,
          stateSince: now,
          liveSince: now,
          attempts: 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return entryOf(row);
    },
    async find(id) {
      return maybeEntryOf(await all.where('id', '=', id).executeTakeFirst());
    },
    async findLive(sessionId) {
      const row = await all
        .where('sessionId', '=', sessionId)
        .where('state', 'in', LIVE_STATES)
        .executeTakeFirst();
      return maybeEntryOf(row);
    },
    async list({ states, sessionId } = {}) {
      let query = all.orderBy('createdAt').orderBy('id');
      if (states) query = query.where('state', 'in', states);
      if (sessionId !== undefined) query = query.where('sessionId', '=', sessionId);
      return (await query.execute()).map(entryOf);
    },
    async move(id, next, learnt = {}, seen) {
      return maybeEntryOf(await moveRow(db, { id, next, learnt: hidden(learnt), seen, now: clock.now() }));
    },
    async claim(id, sessionId) {
      return maybeEntryOf(await claimWarm(db, { id, sessionId, now: clock.now() }));
    },
    async replace(old, id, learnt) {
      const now = clock.now();
      return maybeEntryOf(
        await atomically(db, inside => replaceRow(inside, { old, id, learnt: hidden(learnt), now })),
      );
    },
    async postpone(id, { problem, retryAt }) {
      await db
        .updateTable('sandboxes')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), problem: redact(problem), retryAt }))
        .where('id', '=', id)
        .execute();
    },
    enforcements: () => enforcementsIn(db),
    async forgetGone(before) {
      const { numDeletedRows } = await db
        .deleteFrom('sandboxes')
        .where('state', '=', 'gone')
        .where('stateSince', '<', before)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function enforcementsIn(db: Database): Promise<ReadonlyMap<string, Enforcement>> {
  const rows = await db
    .selectFrom('sandboxes')
    .select(['policyHash', 'enforcement'])
    .where('enforcement', 'is not', null)
    .orderBy('createdAt')
    .execute();
  return new Map(
    rows.flatMap(
      ({ policyHash, enforcement }) =>
        enforcement === null ? [] : [[policyHash, JSON.parse(enforcement) as Enforcement] as const], // as it was written
    ),
  );
}

interface Move {
  readonly id: string;
  readonly next: NextState;
  readonly learnt: Learnt;
  readonly seen: Seen | undefined;
  readonly now: number;
}

function moveRow(db: Database, { id, next, learnt, seen, now }: Move): Promise<Row | undefined> {
  const { name, problem, enforcement, deadline = null, stepBy = null } = learnt;
  let query = db
    .updateTable('sandboxes')
    .returningAll()
    .where('id', '=', id)
    .where('state', 'in', predecessorsOf(next));
  if (seen) query = query.where('state', '=', seen.state).where('stateSince', '=', seen.stateSince);
  return query
    .set({
      state: next,
      stateSince: now,
      idleSince: next === 'ready' ? now : null,
      ...liveTime(next, now),
      ...{ deadline, stepBy },
      ...(name === undefined ? {} : { name }),
      ...(problem === undefined ? {} : { problem }),
      ...(enforcement === undefined ? {} : { enforcement: JSON.stringify(enforcement) }),
    })
    .executeTakeFirst();
}

/** Nothing runs of what is suspended or gone, and nothing came of what failed while it was made. */
function liveTime(next: NextState, now: number) {
  if (next === 'failed') {
    return { liveSince: sql<number | null>`case when state = 'creating' then null else live_since end` };
  }
  if (next === 'resuming') return { liveSince: sql<number>`coalesce(live_since, ${now})` };
  if (next !== 'suspended' && next !== 'gone') return {};
  // A clock that was set back takes nothing away.
  const last = sql<number>`case when live_since < ${now} then ${now} - live_since else 0 end`;
  return { liveMs: sql<number>`live_ms + ${last}`, liveSince: null };
}

interface Replacement {
  readonly old: LedgerEntry;
  readonly id: string;
  readonly learnt: Learnt;
  readonly now: number;
}

async function replaceRow(db: Database, { old, id, learnt, now }: Replacement): Promise<Row | undefined> {
  const free = db
    .updateTable('sandboxes')
    .where('id', '=', id)
    .where('sessionId', 'is', null)
    .where('state', 'in', ['ready', 'leased'])
    .returningAll();
  // The new one first, so that nothing has changed when it turns out to be taken.
  if (!(await free.set({ idleSince: null }).executeTakeFirst())) return undefined;
  const ending = await moveRow(db, { id: old.id, next: 'destroying', learnt, seen: old, now });
  return ending && free.set({ sessionId: old.sessionId }).executeTakeFirst();
}

function claimWarm(
  db: Database,
  { id, sessionId, now }: { readonly id: string; readonly sessionId: string; readonly now: number },
): Promise<Row | undefined> {
  return db
    .updateTable('sandboxes')
    .set({ sessionId, idleSince: now })
    .where('id', '=', id)
    .where('sessionId', 'is', null)
    .where('state', '=', 'ready')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sandboxes as other')
            .select('other.id')
            .where('other.sessionId', '=', sessionId)
            .where('other.state', 'in', LIVE_STATES),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst();
}

function entryOf(row: Row): LedgerEntry {
  const { policy, enforcement } = row;
  return {
    ...row,
    policy: JSON.parse(policy),
    enforcement: enforcement === null ? null : JSON.parse(enforcement),
  };
}

function maybeEntryOf(row: Row | undefined): LedgerEntry | undefined {
  return row && entryOf(row);
}
