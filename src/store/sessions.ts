// Conversations. A key has one current session; ending it, as /new does, makes room for the next with the same key.
import type { Selectable } from 'kysely';
import { newId } from '../base/ids.ts';
import { atomically } from './atomically.ts';
import { there } from './prepared.ts';
import type { StoreParts } from './store.ts';
import type { Database, SessionTable } from './tables.ts';

export type Session = Readonly<Selectable<SessionTable>>;

export interface NewSession {
  readonly key: string;
  readonly kind: 'messaging' | 'cli';
  readonly platform: string;
  readonly chat: string;
  readonly thread?: string;
  readonly person?: string;
}

export interface SessionFilter {
  readonly which: 'current' | 'all';
  readonly limit: number;
  /** Only those that were active before; the `activeAt` of the last one gives the next page. */
  readonly activeBefore?: number;
}

export interface Sessions {
  /** The current session of the key, made if there is none, and active from now on. */
  enter(session: NewSession): Promise<Session>;
  find(id: string): Promise<Session | undefined>;
  findCurrent(key: string): Promise<Session | undefined>;
  /** Those active last come first. */
  list(filter: SessionFilter): Promise<readonly Session[]>;
  /** Null = as configured again. */
  setNetwork(id: string, network: 'none' | 'open' | null): Promise<void>;
  /** Its sandbox is lost, or may be, and it has still to be told. */
  markLost(id: string): Promise<void>;
  /** Whether there was something to tell; there is not any more. */
  takeLost(id: string): Promise<boolean>;
  /** So many more commands ran on without their gateway, and were ended. */
  addCutOff(id: string, count: number): Promise<void>;
  /** Those to be told of such commands. */
  withCutOff(): Promise<readonly Session[]>;
  /** It has been told of so many of them. */
  markCutOffTold(id: string, count: number): Promise<void>;
  end(id: string): Promise<void>;
  /** With everything that belongs to it but the audit. Refused as long as a sandbox of it may exist. */
  delete(id: string): Promise<'deleted' | 'has-sandbox' | 'unknown'>;
}

const byId = (db: Database, { id }: { readonly id: string }) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id);

const currentOf = (db: Database, { key }: { readonly key: string }) =>
  db.selectFrom('sessions').selectAll().where('key', '=', key).where('endedAt', 'is', null);

type NewRow = Pick<
  Session,
  'id' | 'key' | 'kind' | 'platform' | 'chat' | 'thread' | 'person' | 'createdAt' | 'activeAt'
>;

const entering = (db: Database, row: NewRow) =>
  db
    .insertInto('sessions')
    .values(row)
    .onConflict(conflict =>
      conflict.column('key').where('endedAt', 'is', null).doUpdateSet({ activeAt: row.activeAt }),
    )
    .returningAll();

export function sessions(db: Database, { clock, prepared }: StoreParts): Sessions {
  const all = db.selectFrom('sessions').selectAll();
  return {
    async enter({ key, kind, platform, chat, thread = null, person = null }) {
      const now = clock.now();
      const row = { id: newId(), key, kind, platform, chat, thread, person, createdAt: now, activeAt: now };
      return there(await prepared.first(db, entering, row));
    },
    find: id => prepared.first(db, byId, { id }),
    findCurrent: key => prepared.first(db, currentOf, { key }),
    list({ which, limit, activeBefore }) {
      let query = all.orderBy('activeAt', 'desc').orderBy('id').limit(limit);
      if (which === 'current') query = query.where('endedAt', 'is', null);
      if (activeBefore !== undefined) query = query.where('activeAt', '<', activeBefore);
      return query.execute();
    },
    async setNetwork(id, network) {
      await db.updateTable('sessions').set({ network }).where('id', '=', id).execute();
    },
    async markLost(id) {
      await db.updateTable('sessions').set({ lostAt: clock.now() }).where('id', '=', id).execute();
    },
    async takeLost(id) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ lostAt: null })
        .where('id', '=', id)
        .where('lostAt', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async addCutOff(id, count) {
      await db
        .updateTable('sessions')
        .set(({ eb }) => ({ cutOffCommands: eb('cutOffCommands', '+', count) }))
        .where('id', '=', id)
        .execute();
    },
    withCutOff: () => all.where('cutOffCommands', '>', 0).orderBy('id').execute(),
    async markCutOffTold(id, count) {
      await db
        .updateTable('sessions')
        .set(({ eb }) => ({ cutOffCommands: eb('cutOffCommands', '-', count) }))
        .where('id', '=', id)
        .execute();
    },
    async end(id) {
      await db
        .updateTable('sessions')
        .set({ endedAt: clock.now() })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .execute();
    },
    delete: id => atomically(db, inside => deleteSession(inside, id)),
  };
}

async function deleteSession(db: Database, id: string): Promise<'deleted' | 'has-sandbox' | 'unknown'> {
  const kept = await db
    .selectFrom('sandboxes')
    .select('id')
    .where('sessionId', '=', id)
    .where('state', '!=', 'gone')
    .executeTakeFirst();
  if (kept) return 'has-sandbox';
  await db.deleteFrom('sandboxes').where('sessionId', '=', id).execute();
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n ? 'deleted' : 'unknown';
}
