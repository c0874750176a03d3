// Several statements as one step: all of them or none, and nobody sees the middle.
import type { Database } from './tables.ts';

/** Joins the transaction that `db` already is, or makes one. */
export function atomically<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
