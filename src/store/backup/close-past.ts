// What a state that was put back had in flight when it was copied has gone on since, elsewhere: none of it may be done
// again. All of it is closed in one transaction, in a database of any version.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { storeError } from '../sqlite-errors.ts';

/** A conversation that had something in flight. */
export interface ConcernedSession {
  readonly id: string;
  readonly key: string;
  readonly platform: string;
  readonly chat: string;
  readonly thread: string | null;
}

export interface ClosePastOptions {
  readonly path: string;
  readonly now: number;
  /** The body of a message of the outbox that tells the chat; absent = it is not told. */
  readonly notice?: (session: ConcernedSession) => unknown;
  /** Higher than that of every copy. */
  readonly generation: number;
}

/** Marks the notices, which are no past. */
const NOTICE = 'restored';
const WAIT_MS = 10_000;

/** Each is done where its table is. The first column of `concerns` is the id of a session. */
const IN_FLIGHT = {
  runs: {
    concerns: `select session_id from runs where state = 'running'`,
    close: `update runs set state = 'cut-off', ended_at = :now where state = 'running'`,
  },
  inbox: {
    concerns: `select session_id from inbox where state in ('waiting', 'taken')`,
    close: `update inbox set state = 'done', done_at = :now where state in ('waiting', 'taken')`,
  },
  outbox: {
    concerns: `select session_id from outbox where state in ('waiting', 'sending') and coalesce(run_id, '') <> '${NOTICE}'`,
    close: `update outbox set state = 'failed', problem = 'not repeated: the state was restored'
      where state in ('waiting', 'sending') and coalesce(run_id, '') <> '${NOTICE}'`,
  },
  approvals: {
    concerns: `select session_id from approvals where state = 'pending'`,
    close: `update approvals set state = 'closed' where state = 'pending'`,
  },
  leases: {
    concerns: undefined,
    close: `delete from leases`,
  },
  sandboxes: {
    concerns: undefined,
    close: `update sandboxes set state = 'ready', state_since = :now, idle_since = :now where state = 'leased'`,
  },
} as const;

/** Returns how many chats are told. Throws UNAVAILABLE_STORE; then nothing has changed. */
export function closePast(options: ClosePastOptions): number {
  const { path } = options;
  try {
    const database = new DatabaseSync(path, { timeout: WAIT_MS });
    try {
      database.exec('pragma synchronous = full; begin immediate');
      const told = close(database, options);
      database.exec('commit');
      return told;
    } finally {
      database.close();
    }
  } catch (error) {
    throw storeError(error, path);
  }
}

function close(database: DatabaseSync, { now, notice, generation }: ClosePastOptions): number {
  const tables = new Set(
    database
      .prepare(`select name from sqlite_schema where type = 'table'`)
      .all()
      .map(({ name }) => name),
  );
  const steps = Object.entries(IN_FLIGHT).flatMap(([table, step]) => (tables.has(table) ? [step] : []));
  const concerned = sessionsOf(
    database,
    steps.flatMap(({ concerns }) => (concerns === undefined ? [] : [concerns])),
  );
  for (const { close: statement } of steps) run(database, statement, { now });
  if (notice && tables.has('outbox'))
    for (const session of concerned) put(database, session, notice(session), now);
  raise(database, generation, now);
  return concerned.length;
}

function run(database: DatabaseSync, statement: string, all: Record<string, SQLInputValue>): void {
  const used = Object.entries(all).filter(([name]) => statement.includes(`:${name}`));
  database.prepare(statement).run(Object.fromEntries(used));
}

function sessionsOf(database: DatabaseSync, concerns: readonly string[]): readonly ConcernedSession[] {
  const rows = database
    .prepare(
      `select id, key, platform, chat, thread from sessions
       where kind = 'messaging' and ended_at is null and id in (${concerns.join(' union ')}) order by created_at, id`,
    )
    .all();
  return rows as unknown as readonly ConcernedSession[]; // the columns that are selected
}

function put(
  database: DatabaseSync,
  { id, platform, chat, thread }: ConcernedSession,
  body: unknown,
  now: number,
): void {
  database
    .prepare(
      `insert into outbox (session_id, run_id, platform, chat, thread, body, state, attempts, interrupted, due_at, created_at)
       values (?, ?, ?, ?, ?, ?, 'waiting', 0, 0, ?, ?)`,
    )
    .run(id, NOTICE, platform, chat, thread, JSON.stringify(body), now, now);
}

/** Older versions have none; the next start then sees a copy, and finds nothing in flight. */
function raise(database: DatabaseSync, generation: number, now: number): void {
  const columns = database.prepare(`select name from pragma_table_info('installation')`).all();
  if (!columns.some(({ name }) => name === 'generation')) return;
  database
    .prepare('update installation set generation = max(generation, ?), generation_at = ?')
    .run(generation, now);
}
