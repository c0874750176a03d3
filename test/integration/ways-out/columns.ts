// Every column of the database that can hold a text, and those in which a secret may stand, each with its reason.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What must be kept as it was given. Everything that shows it redacts it first. */
export const AS_GIVEN: Readonly<Record<string, string>> = {
  'inbox.body': 'what a person said; the run gets it as it is',
  'turns.body': 'what was said to the model and by it; a call is repeated to the server as it was',
  'approvals.command': 'the exact action that is asked about and allowed',
  'approvals.findings': 'pieces of that action; grants are compared with them',
  'approvals.reason': 'what the owner said about it',
  'pairings.event': 'what a stranger said, dealt with when they are allowed',
  'pairings.name': 'how a stranger is called',
  'people.name': 'how a person is called',
};

/** By `table.column`: all that stands in it. Numbers are left out. */
export function textsByColumn(home: string): ReadonlyMap<string, string> {
  const db = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  try {
    const named = db.prepare(
      `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`,
    );
    const columns = named.all() as { table: string; column: string }[]; // as the statement names them
    return new Map(
      columns.map(({ table, column }) => {
        const rows = db.prepare(`select "${column}" as value from "${table}"`).all();
        return [`${table}.${column}`, rows.map(({ value }) => textOf(value)).join('\n')];
      }),
    );
  } finally {
    db.close();
  }
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return typeof value === 'string' ? value : '';
}
