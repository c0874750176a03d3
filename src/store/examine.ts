// Looks at a database before anything is written to it, and refuses what is damaged, foreign or newer than this program.
// It only looks: the file is opened for reading, and only through SQLite. Opening it in another way would, on closing,
// give up the locks of a store that this same process may have open.
import { type Stats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { HermesError } from '../base/errors.ts';
import { damaged, storeError, unusable } from './sqlite-errors.ts';
import { APPLICATION_ID } from './sqlite-flavour.ts';

/** `whole` reads every page, about 2 ms per MB; `head` finds what shows without that. */
export type Depth = 'whole' | 'head';

const WAIT_MS = 5_000;
/** One page of the smallest kind. */
const SHORTEST = 512;

export interface Examination {
  readonly path: string;
  readonly found: Stats;
  readonly depth: Depth;
  /** The newest version that this program knows. */
  readonly newest: number;
}

/** The version of the database. Throws UNAVAILABLE_STORE with what to do. */
export function examine({ path, found, depth, newest }: Examination): number {
  if (!found.isFile()) throw unusable(path, 'it is not a file', 'Move away what stands there.');
  // A new one is moved to its place complete; SQLite would take what something else left of it for an empty one.
  if (found.size < SHORTEST) throw damaged(path, `only ${found.size} bytes of it are left`);
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS });
    try {
      const version = judgeOrigin(path, database, newest);
      judgeLength(path, database, found);
      if (depth === 'whole') judgePages(path, database);
      return version;
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof HermesError ? error : storeError(error, path);
  }
}

function judgeOrigin(path: string, database: DatabaseSync, newest: number): number {
  if (numberOf(database, 'application_id') !== APPLICATION_ID)
    throw unusable(path, 'another program made it', 'Move it away, or set HERMES_HOME to another folder.');
  const version = numberOf(database, 'user_version');
  if (version > newest) {
    const why = `a newer Hermes made it (version ${version}; this one knows ${newest})`;
    throw unusable(path, why, 'Update Hermes, or restore the copy from before the update.');
  }
  if (version < 1) throw damaged(path, 'it has no version');
  return version;
}

/** SQLite takes a file that ends within a page for whole. While there is a log, the file alone need not be. */
function judgeLength(path: string, database: DatabaseSync, found: Stats): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  if (found.size % numberOf(database, 'page_size') !== 0) throw damaged(path, 'its end is missing');
}

function judgePages(path: string, database: DatabaseSync): void {
  const [first] = database.prepare('pragma quick_check(1)').all();
  const verdict = first?.['quick_check'];
  if (verdict !== 'ok') throw damaged(path, `its content is broken (${verdict})`);
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma]);
}
