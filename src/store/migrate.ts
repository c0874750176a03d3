// Brings a database to the newest version, one numbered step after the other, all of them or none.
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/** What differs between databases besides the dialect. */
export interface Flavour {
  /** The type of a column that numbers the rows in the order of their writing and never uses a number twice. */
  readonly numbered: string;
  /** The version that the database says it has; 0 for one without tables. */
  readVersion(db: QueryExecutorProvider): Promise<number>;
  writeVersion(db: QueryExecutorProvider, version: number): Promise<void>;
}

/** One step; its number is its place in the list. It is never changed once it has been released. */
export interface Migration {
  readonly name: string;
  /** In words that SQLite and PostgreSQL both understand. */
  statements(flavour: Flavour): readonly string[];
}

/**
 * Several processes may call it at the same time; the steps are done once. Returns the version that it found. A
 * version above the newest step is left alone; telling the operator is up to the caller.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  flavour: Flavour,
  migrations: readonly Migration[],
): Promise<number> {
  return db.transaction().execute(async transaction => {
    // Inside the transaction: another process may just have done it.
    const found = await flavour.readVersion(transaction);
    for (const migration of migrations.slice(found)) {
      for (const statement of migration.statements(flavour)) await sql.raw(statement).execute(transaction);
    }
    if (found < migrations.length) await flavour.writeVersion(transaction, migrations.length);
    return found;
  });
}
