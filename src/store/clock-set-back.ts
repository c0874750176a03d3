// At a start after the clock was set back: no moment in the past lies ahead, and no deadline is further away than it can be.
// Otherwise what waits for one would wait for as long as the clock was set back.
import { sql } from 'kysely';
import type { Database, Tables } from './tables.ts';

const HOUR_MS = 3_600_000;

interface Moment {
  readonly table: keyof Tables;
  /** When it was written; in SQL's spelling, as below. */
  readonly at: string;
  /** Count from then, and move with it. */
  readonly deadlines: readonly string[];
}

const MOMENTS: readonly Moment[] = [
  { table: 'outbox', at: 'created_at', deadlines: ['due_at'] },
  { table: 'sandboxes', at: 'state_since', deadlines: ['deadline', 'retry_at'] },
  { table: 'sandboxes', at: 'idle_since', deadlines: [] },
  { table: 'leases', at: 'taken_at', deadlines: ['expires_at'] },
  { table: 'pairings', at: 'asked_at', deadlines: ['expires_at'] },
  { table: 'approvalFailures', at: 'last_at', deadlines: ['locked_until'] },
  { table: 'approvals', at: 'asked_at', deadlines: ['expires_at'] },
  { table: 'sessions', at: 'active_at', deadlines: [] },
];

/** Deadlines that are put off again and again, so that the moment they count from lies far behind. */
const RENEWED: readonly { readonly table: keyof Tables; readonly deadline: string }[] = [
  { table: 'outbox', deadline: 'due_at' },
  { table: 'sandboxes', deadline: 'retry_at' },
  { table: 'sandboxes', deadline: 'deadline' },
  { table: 'leases', deadline: 'expires_at' },
];

/** Repeating it changes nothing. Where the clock was not set back, nothing changes but deadlines more than an hour ahead. */
export async function settleClock(db: Database, now: number): Promise<void> {
  for (const { table, at, deadlines } of MOMENTS) {
    const moment = sql.ref(at);
    const moved = deadlines.map(name => sql`${sql.ref(name)} = ${sql.ref(name)} - (${moment} - ${now})`);
    const changes = sql.join([...moved, sql`${moment} = ${now}`]);
    await sql`update ${sql.table(table)} set ${changes} where ${moment} > ${now}`.execute(db);
  }
  const longest = now + HOUR_MS;
  for (const { table, deadline } of RENEWED) {
    const due = sql.ref(deadline);
    await sql`update ${sql.table(table)} set ${due} = ${longest} where ${due} > ${longest}`.execute(db);
  }
}
