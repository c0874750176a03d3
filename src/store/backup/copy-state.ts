// A copy of the database while others write to it: one read transaction, so that it is of one moment.
import { DatabaseSync } from 'node:sqlite';
import { storeError } from '../sqlite-errors.ts';

const WAIT_MS = 10_000;

/** `target` must be empty or absent. Returns the version of what was copied. Throws UNAVAILABLE_STORE. */
export function copyState(path: string, target: string): number {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS });
    try {
      database.prepare('vacuum into ?').run(target);
    } finally {
      database.close();
    }
    return versionOf(target);
  } catch (error) {
    throw storeError(error, path);
  }
}

function versionOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(database.prepare('pragma user_version').get()?.['user_version']);
  } finally {
    database.close();
  }
}

/** Puts what is only in the log into the file itself. False when that cannot be done, as with a damaged one. */
export function settleState(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { timeout: WAIT_MS });
    try {
      database.exec('pragma wal_checkpoint(truncate)');
      return true;
    } finally {
      database.close();
    }
  } catch (error) {
    // Whatever SQLite says of it: the file is then moved as it is.
    if (error instanceof Error && 'errcode' in error) return false;
    throw error;
  }
}
