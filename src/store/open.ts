// Opens the state of an installation, and makes it where there is none. Import it when it is needed: Kysely takes time
// to load.

import { chmod, link, rm, stat } from 'node:fs/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import { HermesError, systemErrorCode } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { ifThere } from '../base/if-there.ts';
import { ensurePrivateDir, writePrivateFile } from '../base/private-files.ts';
import { systemReason } from '../base/system-reason.ts';
import { type Depth, examine } from './examine.ts';
import { HeldFile } from './held-file.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { type PatienceListener, patientStore, StorePatience } from './patient-store.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { unusable } from './sqlite-errors.ts';
import { sqliteFlavour } from './sqlite-flavour.ts';
import { stateFile } from './state-file.ts';
import { connect, databaseOf, type Store, storeOf } from './store.ts';
import type { Database } from './tables.ts';

export interface OpenStoreOptions {
  readonly clock?: Clock;
  /** How far an existing file is examined; everything, unless a command is in a hurry. */
  readonly examine?: Depth;
  /** See `StoreParts`. Absent = texts are written as they are, for callers that only read or have no secrets. */
  readonly redact?: (text: string) => string;
  /** Present = what cannot be written is written as soon as it can be, as a gateway needs it. Absent = it is thrown. */
  readonly patience?: PatienceListener;
}

/**
 * The store of the installation whose folder is `home`, in its `stateFile`. Other processes may have it open as well. One of an
 * older version is backed up and then changed. Throws UNAVAILABLE_STORE when the file is damaged, newer than this program or not
 * permitted, UNAVAILABLE_BACKUP when it cannot be backed up; it is left as it was.
 */
export async function openStore(
  home: string,
  { clock = systemClock, examine: depth = 'whole', redact = text => text, patience }: OpenStoreOptions = {},
): Promise<Store> {
  const path = stateFile(home);
  const found = await inWords(path, async () => {
    await ensurePrivateDir(home);
    if (!(await isThere(path))) await makeNew(path, clock);
    return stat(path);
  });
  const version = examine({ path, found, depth, newest: migrations.length });
  await inWords(path, () => keepPrivate(path, found.mode));
  const state = new HeldFile(path);
  const db = databaseOf(sqliteDialect({ path, clock, state }));
  try {
    if (version < migrations.length) {
      const { backUpBeforeMigration } = await import('./backup/before-migration.ts');
      await backUpBeforeMigration(home, clock, migrations.length);
      await migrate(db, sqliteFlavour, migrations);
    }
    await connect(db);
    const store = { ...storeOf(db, { clock, redact }), checkFile: () => state.check() };
    return patience ? patientStore(store, new StorePatience(clock, patience)) : store;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** What the operating system refuses becomes an error that says what to do. */
async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HermesError || systemErrorCode(error) === undefined) throw error;
    throw unusable(path, systemReason(error), 'Mend that, or set HERMES_HOME to another folder.', error);
  }
}

/** Complete before it gets its name, and never in place of another: of two who make one, the first wins. */
async function makeNew(path: string, clock: Clock): Promise<void> {
  // SQLite would apply the log of a lost database to the new one. Another maker's log comes after its database.
  if ((await isThere(`${path}-wal`)) && !(await isThere(path))) {
    const why = `it is missing, but its log ${path}-wal is there`;
    throw unusable(path, why, 'Put it back, or move the log away to start afresh.');
  }
  const temporary = `${path}.${newId()}.tmp`;
  try {
    await writePrivateFile(temporary, '');
    const db: Database = databaseOf(sqliteDialect({ path: temporary, clock }));
    try {
      await migrate(db, sqliteFlavour, migrations);
    } finally {
      await db.destroy();
    }
    await link(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(temporary + suffix, { force: true });
  }
}

/** A copy that was put back may be readable for others; SQLite gives its log the same rights as the file. */
async function keepPrivate(path: string, mode: number): Promise<void> {
  if ((mode & 0o077) === 0) return;
  for (const suffix of ['', '-wal', '-shm']) {
    if (await isThere(path + suffix)) await chmod(path + suffix, 0o600);
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== undefined;
}
