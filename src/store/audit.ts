// Who caused what in which sandbox, with which outcome. Rows are added and, when they are old enough, dropped; there is
// no way to change one.
import type { Selectable } from 'kysely';
import { redactData } from '../base/redact/redact-data.ts';
import type { StoreParts } from './store.ts';
import type { AuditTable, Database } from './tables.ts';

type Row = Selectable<AuditTable>;

/** `seq` grows with every row and is never used twice. */
export type AuditEntry = Readonly<Omit<Row, 'details'>> & { readonly details: unknown };

/** What kind of thing happened. */
export type AuditAction =
  | 'command'
  | 'tool'
  | 'approval'
  | 'delivery'
  | 'people'
  | 'pairing'
  | 'claim'
  | 'allow'
  | 'files'
  | 'get'
  | 'put'
  | 'suspend'
  | 'destroy'
  | 'delete';

export interface NewAuditEntry {
  /** Who caused it, such as `telegram:123` or `cli`. */
  readonly actor: string;
  readonly sessionId?: string;
  readonly sandboxId?: string;
  readonly action: AuditAction;
  /**
   * What it was done to or with. A text, such as a command, is redacted when it is written. An id names one thing or
   * person for good and is written as it is.
   */
  readonly subject: string | { readonly id: string };
  /** It may quote why somebody said no; redacted when it is written. */
  readonly outcome: string;
  /** Plain JSON; its texts are redacted when it is written. */
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

export function audit(db: Database, { clock, redact }: StoreParts): Audit {
  return {
    async append({ sessionId = null, sandboxId = null, subject, outcome, details = {}, ...rest }) {
      const shown = typeof subject === 'string' ? redact(subject) : subject.id;
      const kept = JSON.stringify(redactData(details, redact));
      const row = await db
        .insertInto('audit')
        .values({
          ...{ ...rest, sessionId, sandboxId, subject: shown, details: kept },
          ...{ outcome: redact(outcome), at: clock.now() },
        })
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
