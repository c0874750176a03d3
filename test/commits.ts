// How often a database in WAL mode was committed to, counted in its log from outside. While it is counted, a reader keeps the
// log from being begun again.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const HEADER = 32;
const FRAME_HEADER = 24;

/** Runs the work; resolves with the commits that were made meanwhile. */
export async function commitsDuring(path: string, work: () => Promise<unknown>): Promise<number> {
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    reader.exec('begin');
    reader.prepare('select count(*) from sqlite_schema').get();
    const before = commitsIn(`${path}-wal`);
    await work();
    return commitsIn(`${path}-wal`) - before;
  } finally {
    reader.close();
  }
}

/** The last frame of a commit has the size of the database in it; https://www.sqlite.org/fileformat.html#the_write_ahead_log */
function commitsIn(path: string): number {
  const log = readFileSync(path);
  if (log.length < HEADER) return 0;
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER; at + frame <= log.length; at += frame) {
    // What follows is left from before the log was begun again.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
