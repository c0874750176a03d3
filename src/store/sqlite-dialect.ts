// Kysely on the SQLite of Node: one connection that writes and one that reads, transactions that take the write lock at once, and patience with
// other processes that does not stop this one.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
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
import type { HeldFile } from './held-file.ts';
import { isBusy, storeError } from './sqlite-errors.ts';

/** SQLite waits this long by itself, and the whole process with it; further waiting lets others run. */
const BUSY_SLICE_MS = 20;
const PAUSE_MS = 5;
const GIVE_UP_MS = 10_000;
/** How long statements may follow each other before timers and sockets have their turn. */
const TURN_MS = 5;

/** WAL lets readers and one writer work at the same time; FULL makes what was acknowledged survive a power cut. */
const WRITER = 'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on';
/** More are built from lists of any length. */
const MOST_STATEMENTS = 200;
const READER = 'pragma query_only = on';

export interface SqliteFile {
  readonly path: string;
  readonly clock: Clock;
  /** Checked after each write: what is written into a file that was deleted or replaced is not there. */
  readonly state?: HeldFile;
}

/** The file must exist; it is opened when the first statement runs. */
export function sqliteDialect(file: SqliteFile): Dialect {
  return {
    createAdapter: () => new SqliteFileAdapter(),
    createDriver: () => new SqliteFileDriver(file),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Who may use which connection is decided by statement, not by Kysely. */
class SqliteFileAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Two connections: writers take turns on one, one statement or transaction at a time; the other one reads. So nothing that
 * is only read waits for a writer, not even for one of this process that waits for another process itself.
 */
class SqliteFileDriver implements Driver {
  readonly #file: SqliteFile;
  #writer: SqliteConnection | undefined;
  #reader: Promise<SqliteConnection> | undefined;
  /** Resolves when the last one that has asked to write has done so. */
  #written: Promise<void> = Promise.resolve();
  #turnBegan = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async init(): Promise<void> {
    this.#writer = await SqliteConnection.open(this.#file, WRITER);
    this.#file.state?.opened();
  }

  async acquireConnection(): Promise<Visit> {
    await this.#letOthersRun();
    return new Visit(this);
  }

  /** SQLite answers at once, so that a loop of statements alone would never give anything else a chance. */
  async #letOthersRun(): Promise<void> {
    const { clock } = this.#file;
    if (clock.monotonic() - this.#turnBegan < TURN_MS) return;
    await new Promise(resolve => setImmediate(resolve));
    this.#turnBegan = clock.monotonic();
  }

  /** Nobody else writes until `end` is called. */
  async write(): Promise<Writing> {
    const before = this.#written;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#written = promise;
    await before;
    if (this.#writer) return { writer: this.#writer, end };
    end();
    throw closed();
  }

  /** Throws UNAVAILABLE_STORE when what was just written is lost. */
  checkState(): void {
    this.#file.state?.check();
  }

  reader(): Promise<SqliteConnection> {
    if (!this.#writer) return Promise.reject(closed());
    this.#reader ??= SqliteConnection.open(this.#file, READER).catch(error => {
      this.#reader = undefined;
      throw error;
    });
    return this.#reader;
  }

  async releaseConnection(visit: Visit): Promise<void> {
    visit.end();
  }

  async beginTransaction(visit: Visit): Promise<void> {
    await visit.begin();
  }

  async commitTransaction(visit: Visit): Promise<void> {
    await visit.commit();
  }

  async rollbackTransaction(visit: Visit): Promise<void> {
    await visit.rollBack();
  }

  /** The reader first: whoever closes last tidies the log away. */
  async destroy(): Promise<void> {
    await this.#written;
    (await this.#reader)?.close();
    this.#writer?.close();
    this.#writer = undefined;
  }
}

interface Writing {
  readonly writer: SqliteConnection;
  readonly end: () => void;
}

/** What Kysely takes for a connection: one statement or one transaction on one of the two. */
class Visit implements DatabaseConnection {
  readonly #driver: SqliteFileDriver;
  /** Of a transaction, from its beginning to the end of the visit. */
  #writing: Writing | undefined;

  constructor(driver: SqliteFileDriver) {
    this.#driver = driver;
  }

  async begin(): Promise<void> {
    this.#writing = await this.#driver.write();
    await this.#writing.writer.run('begin immediate');
  }

  async commit(): Promise<void> {
    await this.#writing?.writer.run('commit');
    this.#driver.checkState();
  }

  async rollBack(): Promise<void> {
    // On a full disk SQLite has rolled back already.
    if (this.#writing?.writer.inTransaction) await this.#writing.writer.run('rollback');
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#writing) return this.#writing.writer.executeQuery(compiled);
    if (compiled.query.kind === 'SelectQueryNode') {
      const reader = await this.#driver.reader();
      return reader.executeQuery(compiled);
    }
    const { writer, end } = await this.#driver.write();
    try {
      const result = await writer.executeQuery<R>(compiled);
      this.#driver.checkState();
      return result;
    } finally {
      end();
    }
  }

  /** Nobody reads more than fits into memory; the driver's contract asks for it all the same. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  end(): void {
    this.#writing?.end();
    this.#writing = undefined;
  }
}

function closed(): Error {
  return new Error('the store is closed');
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #file: SqliteFile;

  private constructor(database: DatabaseSync, file: SqliteFile) {
    this.#database = database;
    this.#file = file;
  }

  static async open(file: SqliteFile, pragmas: string): Promise<SqliteConnection> {
    const database = await patiently(file, () => new DatabaseSync(file.path, { timeout: BUSY_SLICE_MS }));
    try {
      await patiently(file, () => database.exec(pragmas));
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
      const { statement, hasRows } = this.#prepare(sql);
      // Kysely types them as unknown; the columns of tables.ts hold numbers, strings and null.
      const values = parameters as SQLInputValue[];
      // The type of a row follows from the query that Kysely built.
      if (hasRows) return { rows: statement.all(...values) as R[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  /** Those used last are kept; SQLite itself prepares them once more when the tables have changed. */
  #prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#database.prepare(sql);
    const made = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(sql, made);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MOST_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return made;
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
