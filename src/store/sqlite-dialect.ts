// Kysely on the SQLite of Node: one connection, transactions that take the write lock at once, and patience with
// other processes that does not stop this one.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Clock, sleep } from '../base/clock.ts';
import { isBusy, storeError } from './sqlite-errors.ts';

/** SQLite waits this long by itself, and the whole process with it; further waiting lets others run. */
const BUSY_SLICE_MS = 20;
const PAUSE_MS = 5;
const GIVE_UP_MS = 10_000;
/** How long statements may follow each other before timers and sockets have their turn. */
const TURN_MS = 5;

/** WAL lets readers and one writer work at the same time; FULL makes what was acknowledged survive a power cut. */
const PRAGMAS = 'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on';

export interface SqliteFile {
  readonly path: string;
  readonly clock: Clock;
}

/** The file must exist; it is opened when the first statement runs. */
export function sqliteDialect(file: SqliteFile): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteFileDriver(file),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely hands the one connection to one statement or transaction at a time, as the adapter asks it to. */
class SqliteFileDriver implements Driver {
  readonly #file: SqliteFile;
  #connection: SqliteConnection | undefined;
  #turnBegan = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async init(): Promise<void> {
    this.#connection = await SqliteConnection.open(this.#file);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    await this.#letOthersRun();
    if (!this.#connection) throw new Error('the store is closed');
    return this.#connection;
  }

  /** SQLite answers at once, so that a loop of statements alone would never give anything else a chance. */
  async #letOthersRun(): Promise<void> {
    const { clock } = this.#file;
    if (clock.monotonic() - this.#turnBegan < TURN_MS) return;
    await new Promise(resolve => setImmediate(resolve));
    this.#turnBegan = clock.monotonic();
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.run('begin immediate');
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.run('commit');
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // On a full disk SQLite has rolled back already.
    if (connection.inTransaction) await connection.run('rollback');
  }

  async destroy(): Promise<void> {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #file: SqliteFile;

  private constructor(database: DatabaseSync, file: SqliteFile) {
    this.#database = database;
    this.#file = file;
  }

  static async open(file: SqliteFile): Promise<SqliteConnection> {
    const database = await patiently(file, () => new DatabaseSync(file.path, { timeout: BUSY_SLICE_MS }));
    try {
      await patiently(file, () => database.exec(PRAGMAS));
      return new SqliteConnection(database, file);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  run(statement: string): Promise<void> {
    return patiently(this.#file, () => this.#database.exec(statement));
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return patiently(this.#file, () => {
      const statement = this.#database.prepare(sql);
      // Kysely types them as unknown; the columns of tables.ts hold numbers, strings and null.
      const values = parameters as SQLInputValue[];
      // The type of a row follows from the query that Kysely built.
      if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  /** Nobody reads more than fits into memory; the driver's contract asks for it all the same. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  close(): void {
    this.#database.close();
  }
}

/**
 * Tries until no other process is in the way, for at most ten seconds. A statement that met a lock has done nothing,
 * and inside a transaction none can meet one, so that trying again is safe.
 */
async function patiently<T>({ path, clock }: SqliteFile, work: () => T): Promise<T> {
  const giveUpAt = clock.monotonic() + GIVE_UP_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || clock.monotonic() >= giveUpAt) throw storeError(error, path);
      // Unlike pauses, so that two writers do not meet again and again.
      await sleep(clock, PAUSE_MS * (1 + Math.random()));
    }
  }
}
