// SQLite's own words for what the migrations need: numbered rows, and marks in the header of the file.
import { sql } from 'kysely';
import type { Flavour } from './migrate.ts';

/** `Hrms` in the header of the file, by which we know our own; other programs have other marks, or none. */
export const APPLICATION_ID = 0x48726d73;

export const sqliteFlavour: Flavour = {
  numbered: 'integer primary key autoincrement',
  async readVersion(db) {
    const { rows } = await sql<{ version: number }>`
      select user_version as version from pragma_user_version`.execute(db);
    return rows[0]?.version ?? 0;
  },
  async writeVersion(db, version) {
    await sql.raw(`pragma application_id = ${APPLICATION_ID}`).execute(db);
    await sql.raw(`pragma user_version = ${version}`).execute(db);
  },
};
