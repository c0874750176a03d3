import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { until } from '../../test/wait.ts';
import { nextTurn, systemClock } from '../base/clock.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

interface Tables {
  t: { x: number };
}

let folder: string;
let path: string;
let db: Kysely<Tables>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-dialect-'));
  path = join(folder, 'db');
  writeFileSync(path, '');
  db = new Kysely<Tables>({ dialect: sqliteDialect({ path, clock: systemClock }) });
  await sql`create table t (x integer primary key)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

const insert = (into: Kysely<Tables>, x: number) => into.insertInto('t').values({ x }).executeTakeFirst();
const all = async (): Promise<number[]> =>
  (await db.selectFrom('t').select('x').orderBy('x').execute()).map(({ x }) => x);

describe('statements', () => {
  it('give rows, or how many they changed', async () => {
    await insert(db, 1);
    const inserted = await db.insertInto('t').values({ x: 2 }).returning('x').execute();
    expect(inserted).toEqual([{ x: 2 }]);
    const { numUpdatedRows } = await db
      .updateTable('t')
      .set(({ eb }) => ({ x: eb('x', '+', 10) }))
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(2n);
    expect(await all()).toEqual([11, 12]);
  });

  it('run with the promised settings', async () => {
    const { rows } =
      await sql`select * from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys`.execute(db);
    expect(rows).toEqual([{ journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }]);
  });

  it('in a long row let everything else have its turn', async () => {
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    for (let count = 0; count < 100_000 && !hadTurn; count++) await all();
    expect(hadTurn).toBe(true);
  });

  it('pass on a broken constraint as it is', async () => {
    await insert(db, 1);
    await expect(insert(db, 1)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' });
  });
});

describe('a transaction', () => {
  it('is taken back when it fails, and the connection is free again', async () => {
    const failing = db.transaction().execute(async inside => {
      await insert(inside, 1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await all()).toEqual([]);
  });

  it('is never entered by statements of others', async () => {
    const steps = Array.from({ length: 20 }, (_, at) =>
      db.transaction().execute(async inside => {
        const { count } = await inside
          .selectFrom('t')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        await insert(inside, count);
        return at;
      }),
    );
    const between = all();
    await Promise.all(steps);
    // Whatever it saw, it saw whole transactions.
    expect(await between).toEqual(Array.from({ length: (await between).length }, (_, at) => at));
    expect(await all()).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it('waits for a writer of another connection, and lets this process go on meanwhile', async () => {
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const writing = db.transaction().execute(inside => insert(inside, 2));
    // This process has turns while it waits; without them the other one would never end.
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
    other.exec('insert into t values (1); commit');
    await writing;
    other.close();
    expect(await all()).toEqual([1, 2]);
  });

  it('does not make readers wait', async () => {
    await insert(db, 1);
    const other = new DatabaseSync(path);
    other.exec('begin immediate; insert into t values (2)');
    expect(await all()).toEqual([1]);
    other.exec('commit');
    other.close();
  });
});

it('reads while a writer of this process waits for another process', async () => {
  const clock = manualClock();
  const waiting = new Kysely<Tables>({ dialect: sqliteDialect({ path, clock }) });
  await insert(waiting, 1);
  const other = new DatabaseSync(path);
  other.exec('begin exclusive');
  const writing = insert(waiting, 2);
  await until(() => clock.pending().length > 0, 'it waits for the other');
  // No time passes here, so that the writer waits on.
  let read: unknown;
  void waiting
    .selectFrom('t')
    .select('x')
    .execute()
    .then(rows => {
      read = rows;
    });
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(read).toEqual([{ x: 1 }]);
  other.exec('commit');
  other.close();
  clock.advance(1000);
  await writing;
  expect(await waiting.selectFrom('t').select('x').orderBy('x').execute()).toEqual([{ x: 1 }, { x: 2 }]);
  await waiting.destroy();
});

it('gives up on a writer after ten seconds, and says so', async () => {
  const clock = manualClock();
  const impatient = new Kysely<Tables>({ dialect: sqliteDialect({ path, clock }) });
  await impatient.selectFrom('t').selectAll().execute();
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const writing = insert(impatient, 1);
  await until(() => clock.pending().length > 0, 'it waits for the other');
  clock.advance(10_000);
  await expect(writing).rejects.toMatchObject({
    code: 'UNAVAILABLE_LOCK',
    message: expect.stringContaining(path),
  });
  other.exec('commit');
  other.close();
  expect(await insert(impatient, 1)).toBeDefined();
  await impatient.destroy();
});

it('says of a file without permission what to do', async () => {
  const missing = new Kysely<Tables>({
    dialect: sqliteDialect({ path: join(folder, 'missing', 'db'), clock: systemClock }),
  });
  await expect(insert(missing, 1)).rejects.toMatchObject({ code: 'UNAVAILABLE_STORE' });
  await missing.destroy();
});
