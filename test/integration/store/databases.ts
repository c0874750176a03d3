// The databases that the store's tests run on: the SQLite file of every installation, and PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterEach } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { type Flavour, migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open.ts';
import { databaseOf, type Store, storeOf } from '../../../src/store/store.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';
import { needService } from '../../services/use-service.ts';

export interface TestStore {
  readonly store: Store;
  /** A second way to the same data, as another process would have. */
  readonly second: () => Promise<Store>;
  readonly clock: ManualClock;
}

export interface TestDatabase {
  readonly name: string;
  /** Called in the body of a group; what the function gives is closed and removed after each test. */
  readonly use: () => () => Promise<TestStore>;
}

export const databases: readonly TestDatabase[] = [
  {
    name: 'SQLite',
    use() {
      const connect = closing();
      return async () => {
        const home = await mkdtemp(join(tmpdir(), 'hermes-store-'));
        const remove = () => rm(home, { recursive: true });
        return connect({ open: clock => openStore(home, { clock }), remove });
      };
    },
  },
  {
    name: 'PostgreSQL',
    use() {
      const address = needService('postgres');
      const connect = closing();
      return () => {
        const { url } = address();
        const schema = `store_${newId()}`;
        return connect({ open: clock => openPostgres(url, schema, clock) });
      };
    },
  },
];

interface Place {
  readonly open: (clock: Clock) => Promise<Store>;
  readonly remove?: () => Promise<unknown>;
}

/** Opens stores, and closes them after each test. */
function closing(): (place: Place) => Promise<TestStore> {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return async ({ open, remove }) => {
    if (remove) closers.push(remove);
    const clock = manualClock();
    const second = async (): Promise<Store> => {
      // The test moves the time that is written down; waiting for locks takes real time.
      const store = await open({ ...systemClock, now: clock.now });
      closers.push(() => store.close());
      return store;
    };
    return { store: await second(), second, clock };
  };
}

const postgresFlavour: Flavour = {
  numbered: 'bigint generated always as identity primary key',
  async readVersion(db) {
    // Whoever comes second waits here until the first has committed.
    await sql`select pg_advisory_xact_lock(1)`.execute(db);
    await sql`create table if not exists store_version (version integer not null)`.execute(db);
    const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db);
    return rows[0]?.version ?? 0;
  },
  async writeVersion(db, version) {
    await sql`delete from store_version`.execute(db);
    await sql`insert into store_version (version) values (${version})`.execute(db);
  },
};

async function openPostgres(url: string, schema: string, clock: Clock): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    // 64-bit numbers come as text; all of ours are times and counts that a number holds.
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  await pool.query(`create schema if not exists ${schema}`);
  const db = databaseOf(new PostgresDialect({ pool }));
  await migrate(db, postgresFlavour, migrations);
  return storeOf(db, { clock, redact: text => text });
}
