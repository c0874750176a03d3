// A hold that one process at a time can have and that the system itself ends with the process, however it ends: the
// lock of an SQLite file that holds nothing. No process id is compared, so that none can be mistaken for another.
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, storeError } from './sqlite-errors.ts';

export interface Hold {
  release(): void;
}

/** Undefined when somebody has it. `path` is used for nothing else, and stays when the hold ends. */
export function holdAlone(path: string): Hold | undefined {
  // Only where there is none: closing it would give up a hold that this process has.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
    // A hold that nobody refers to any more must not end by being collected.
    const end = (): void => database.close();
    process.once('exit', end);
    return {
      release() {
        process.off('exit', end);
        database.close();
      },
    };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw storeError(error, path);
  }
}
