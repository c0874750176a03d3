// Who caused what in which sandbox, with which outcome. Rows are added and, when they are old enough, dropped; there is
// no way to change one.
import type { Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { AuditTable, Database } from './tables.ts';

type Row = Selectable<AuditTable>;

/** `seq` grows with every row and is never used twice. */
export type AuditEntry = Readonly<Omit<Row, 'details'>> & { readonly details: unknown };

export interface NewAuditEntry {
  /** Who caused it, such as `telegram:123` or `cli`. */
  readonly actor: string;
  readonly sessionId?: string;
  readonly sandboxId?: string;
  /** What kind of thing happened, such as `command`. */
  readonly action: string;
  /** What it was done to or with, such as the command; redacted already. */
  readonly subject: string;
  readonly outcome: string;
  /** Plain JSON; redacted already. */
  readonly details?: unknown;
}

export interface AuditFilter {
  readonly limit: number;
  /** The time of the first one that is wanted. */
  readonly since?: number;
  readonly sessionId?: string;
  /** The `seq` of the last one that is known already: gives the next page. */
  readonly after?: number;
}

export interface Audit {
  append(entry: NewAuditEntry): Promise<AuditEntry>;
  /** Oldest first. */
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Ends the keeping of what happened before then; returns how many rows that were. */
  forget(before: number): Promise<number>;
}

export function audit(db: Database, clock: Clock): Audit {
  return {
    async append({ sessionId = null, sandboxId = null, details = {}, ...rest }) {
      const row = await db
        .insertInto('audit')
        .values({ ...rest, sessionId, sandboxId, details: JSON.stringify(details), at: clock.now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      return entryOf(row);
    },
    async list({ limit, since, sessionId, after }) {
      let query = db.selectFrom('audit').selectAll().orderBy('seq').limit(limit);
      if (since !== undefined) query = query.where('at', '>=', since);
      if (sessionId !== undefined) query = query.where('sessionId', '=', sessionId);
      if (after !== undefined) query = query.where('seq', '>', after);
      return (await query.execute()).map(entryOf);
    },
    async forget(before) {
      const { numDeletedRows } = await db.deleteFrom('audit').where('at', '<', before).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function entryOf(row: Row): AuditEntry {
  return { ...row, details: JSON.parse(row.details) };
}
