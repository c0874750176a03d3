import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { type Migration, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqliteFlavour } from './sqlite-flavour.ts';
import { databaseOf } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Brings the file, which is made if there is none, to the end of these steps; the version that was found. */
async function migrateFile(name: string, steps: readonly Migration[]): Promise<number> {
  const path = join(folder, name);
  writeFileSync(path, '', { flag: 'a' });
  const db = databaseOf(sqliteDialect({ path, clock: systemClock }));
  try {
    return await migrate(db, sqliteFlavour, steps);
  } finally {
    await db.destroy();
  }
}

function inspect<T>(name: string, look: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, name));
  try {
    return look(database);
  } finally {
    database.close();
  }
}

function schemaOf(name: string): unknown {
  return inspect(name, database => [
    database.prepare('select type, name, sql from sqlite_schema order by name').all(),
    database.prepare('pragma user_version').get(),
  ]);
}

/** One row for each version that brought a table, written as that version would have. */
const rows: readonly string[] = [
  `insert into sessions (id, key, kind, platform, chat, created_at, active_at)
   values ('s', 'k', 'messaging', 'web', 'c', 1, 2);
   insert into sandboxes (id, installation, session_id, backend, state, when_idle, policy_hash, policy,
     created_at, state_since, attempts)
   values ('x', 'i', 's', 'local', 'leased', 'destroy', 'h', '{}', 1, 1, 0);
   insert into leases (id, sandbox_id, session_id, holder, purpose, taken_at, expires_at)
   values ('l', 'x', 's', 'gateway-1', 'r', 1, 2)`,
  `insert into inbox (platform, chat, message_id, session_id, person, body, state, received_at)
   values ('web', 'c', 'm', 's', 'p', '{}', 'waiting', 3)`,
  `insert into approvals (id, session_id, run_id, requester, command, findings, nonce, state, asked_at, expires_at)
   values ('a', 's', 'r', 'p', 'ls', '[]', 'n', 'pending', 4, 5)`,
  `update sessions set lost_at = 6`,
  `insert into runs (id, session_id, holder, requester, state, started_tool, input_tokens, output_tokens,
     model_calls, tool_calls, started_at)
   values ('r', 's', 'gateway-1', 'p', 'running', 0, 0, 0, 0, 0, 7);
   insert into turns (session_id, run_id, kind, body, created_at) values ('s', 'r', 'message', '{}', 7)`,
  `insert into pairings (id, platform, user_id, name, code_hash, event, state, created_at, asked_at, expires_at)
   values ('p', 'web', 'u', 'Ann', 'h', '{}', 'pending', 1, 1, 2)`,
  `update sandboxes set live_ms = 5, live_since = 6`,
  `insert into begun_calls (run_id, call_id, begun_at) values ('other', 'c', 8)`,
  `update sessions set cut_off_commands = 2`,
  `insert into installation (slot, id, created_at, generation) values (1, 'i', 9, 3)`,
  `update processes set progress_at = 10`,
  `update sandboxes set enforcement = '{}'`,
];

describe('the steps', () => {
  it.each(migrations.map((_, version) => version))('lead from version %i to the newest', async version => {
    await migrateFile('fresh', migrations);
    if (version > 0) await migrateFile('old', migrations.slice(0, version));
    else writeFileSync(join(folder, 'old'), '');
    for (const row of rows.slice(0, version)) inspect('old', database => database.exec(row));

    expect(await migrateFile('old', migrations)).toBe(version);

    expect(schemaOf('old')).toEqual(schemaOf('fresh'));
    const tables = [['sessions', 'leases'], ['inbox'], ['approvals'], [], ['runs', 'turns'], ['pairings']]
      .slice(0, version)
      .flat();
    for (const table of tables) {
      const count = inspect('old', database => database.prepare(`select count(*) n from ${table}`).get());
      expect(count).toEqual({ n: 1 });
    }
  });

  it('each have a row in this test', () => {
    expect(rows).toHaveLength(migrations.length);
  });

  // A database in the field has run them as they were: a change belongs into a new step at the end.
  it.each([
    ['sandboxes', 'c51b43056250ebfe'],
    ['messages', 'bc9d410344411b08'],
    ['approvals', '9afd8b900babad26'],
    ['holders', 'fa0fd7f93b270dac'],
    ['history', 'ad410ca33e647c32'],
    ['pairings', '735599d8874d9eb9'],
    ['live-time', '183997daabec74f8'],
    ['begun-calls', '3cc961aa395e0bb2'],
    ['cut-off', 'bba382042352c98d'],
    ['state-generation', 'f09c65f095859005'],
    ['process-reports', 'dbe7dc1072940d8e'],
    ['enforcement', '8f1cd18fce8a47ef'],
  ])('%s is as it was released', (name, digest) => {
    const step = migrations.find(each => each.name === name);
    const text = step?.statements(sqliteFlavour).join(';').replace(/\s+/g, ' ') ?? '';
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(digest);
  });
});

describe('migrating', () => {
  const first: Migration = { name: 'first', statements: () => ['create table a (x integer)'] };
  const second: Migration = {
    name: 'second',
    statements: () => ['alter table a add column y integer', 'insert into a (x) values (1)'],
  };
  const broken: Migration = { name: 'broken', statements: () => ['drop table a', 'create tabel b'] };

  it('does nothing when there is nothing to do', async () => {
    await migrateFile('db', [first]);
    const before = schemaOf('db');
    expect(await migrateFile('db', [first])).toBe(1);
    expect(schemaOf('db')).toEqual(before);
  });

  it('takes back every step when one fails', async () => {
    await migrateFile('db', [first]);
    const before = schemaOf('db');
    await expect(migrateFile('db', [first, second, broken])).rejects.toThrow('syntax error');
    expect(schemaOf('db')).toEqual(before);
  });

  it('is done once when several begin at the same time', async () => {
    await migrateFile('db', [first]);
    const found = await Promise.all(Array.from({ length: 6 }, () => migrateFile('db', [first, second])));
    expect(found.toSorted()).toEqual([1, 2, 2, 2, 2, 2]);
    expect(inspect('db', database => database.prepare('select count(*) n from a').get())).toEqual({ n: 1 });
  });

  it('leaves a newer version alone', async () => {
    await migrateFile('db', [first, second]);
    expect(await migrateFile('db', [first])).toBe(2);
    expect(inspect('db', database => database.prepare('pragma user_version').get())).toEqual({
      user_version: 2,
    });
  });
});
