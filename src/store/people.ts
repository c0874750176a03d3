// People that somebody has decided about, by platform and the platform's own id, compared exactly.
import type { Selectable } from 'kysely';
import type { StoreParts } from './store.ts';
import type { Database, PersonTable } from './tables.ts';

export type Person = Readonly<Selectable<PersonTable>>;

export interface PersonRef {
  readonly platform: string;
  readonly userId: string;
}

export interface Decision extends PersonRef {
  readonly name?: string;
  readonly role: 'owner' | 'user';
  readonly standing: 'allowed' | 'denied';
  /** Who decided, such as `cli` or `telegram:123`. */
  readonly decidedBy: string;
}

export interface People {
  find(person: PersonRef): Promise<Person | undefined>;
  /** Replaces an earlier decision; a name that is not given stays. */
  decide(decision: Decision): Promise<Person>;
  /** What they are called and where they write in private now; nothing happens to somebody nobody has decided about. */
  see(person: PersonRef, seen: { readonly name?: string; readonly chat?: string }): Promise<void>;
  /** By platform, then id. */
  list(): Promise<readonly Person[]>;
  /** As if nobody had ever decided. */
  forget(person: PersonRef): Promise<void>;
}

const byRef = (db: Database, { platform, userId }: { readonly platform: string; readonly userId: string }) =>
  db.selectFrom('people').selectAll().where('platform', '=', platform).where('userId', '=', userId);

export function people(db: Database, { clock, prepared }: StoreParts): People {
  return {
    find: ({ platform, userId }) => prepared.first(db, byRef, { platform, userId }),
    decide({ platform, userId, name, ...decision }) {
      const values = { ...decision, ...(name === undefined ? {} : { name }), decidedAt: clock.now() };
      return db
        .insertInto('people')
        .values({ platform, userId, ...values })
        .onConflict(conflict => conflict.columns(['platform', 'userId']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
    },
    async see({ platform, userId }, seen) {
      await db
        .updateTable('people')
        .set(seen)
        .where('platform', '=', platform)
        .where('userId', '=', userId)
        .execute();
    },
    list: () => db.selectFrom('people').selectAll().orderBy('platform').orderBy('userId').execute(),
    async forget({ platform, userId }) {
      await db.deleteFrom('people').where('platform', '=', platform).where('userId', '=', userId).execute();
    },
  };
}
