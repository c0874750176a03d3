// Rows written bare to a database on the same disk and as safely as the store of a gateway writes: what keeping something
// costs at least, whatever the disk does at the moment.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface BareRows {
  /** Each in a transaction of its own. */
  write(count: number): void;
  close(): void;
}

export function openRows(dir: string): BareRows {
  const database = new DatabaseSync(join(dir, `rows-${randomBytes(4).toString('hex')}.db`));
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table rows (text)');
  const insert = database.prepare('insert into rows values (?)');
  return {
    write: count => {
      for (let row = 0; row < count; row++) insert.run('hello');
    },
    close: () => database.close(),
  };
}
