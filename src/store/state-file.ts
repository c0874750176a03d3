// Which file holds the state. A home that the original Hermes has used has a `state.db` of that program, which is left alone.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const NAME = 'state.db';
/** The name beside a database of the original. */
const BESIDE = 'gateway-state.db';
const TABLES_OF_ORIGINAL = ['messages', 'schema_version', 'sessions'];

/** Whether it exists or not; it is one and the same for as long as it does. */
export function stateFile(home: string): string {
  const beside = join(home, BESIDE);
  const usual = join(home, NAME);
  return existsSync(beside) || isOfOriginal(usual) ? beside : usual;
}

/** False for whatever cannot be read: what is wrong with it is said when it is opened. */
function isOfOriginal(path: string): boolean {
  // A pipe would be waited for without end.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  // Immutable: nothing is written beside it, and no lock is taken, also while its program runs.
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(location, { readOnly: true });
    try {
      const id = database.prepare('pragma application_id').get()?.['application_id'];
      const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
      const names = new Set(tables.map(({ name }) => name));
      return id === 0 && TABLES_OF_ORIGINAL.every(name => names.has(name));
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) return false;
    throw error;
  }
}
