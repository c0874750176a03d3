// Holds on sandboxes. A sandbox is `leased` exactly as long as there is a lease on it; nothing reaps it then (P5).
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { atomically } from './atomically.ts';
import type { Database, LeaseTable, Tables } from './tables.ts';

export type Lease = Readonly<Selectable<LeaseTable>>;

export interface NewLease {
  readonly sandboxId: string;
  /** Null for a sandbox that is no session's. */
  readonly sessionId: string | null;
  /** The process life that takes it. */
  readonly holder: string;
  /** What for, such as the id of a run. */
  readonly purpose: string;
  /** Until then it holds without being renewed. */
  readonly expiresAt: number;
}

export interface Leases {
  /** Undefined when the sandbox is not the session's, or is in a state in which nobody can use it. */
  take(lease: NewLease): Promise<Lease | undefined>;
  /**
   * Puts off their end. One that somebody has dropped meanwhile, taking its holder for dead, is taken again if its
   * sandbox can still be used.
   */
  renew(leases: readonly Lease[], expiresAt: number): Promise<void>;
  /** Idle time counts from the last release. Releasing twice does nothing. */
  release(id: string): Promise<void>;
  /** Drops what a holder left behind that has died; returns the leases. */
  dropOf(holder: string): Promise<readonly Lease[]>;
  /** Drops what nobody has renewed in time, unless somebody is known to hold it still; returns the leases. */
  dropExpired(isAlive?: (lease: Pick<Lease, 'id' | 'holder'>) => boolean): Promise<readonly Lease[]>;
  list(sandboxId?: string): Promise<readonly Lease[]>;
}

export function leases(db: Database, clock: Clock): Leases {
  const drop = (which: Which) => atomically(db, inside => dropLeases(inside, which, clock.now()));
  return {
    take: lease => atomically(db, inside => takeLease(inside, lease, clock.now())),
    renew: (held, expiresAt) =>
      atomically(db, async inside => {
        for (const lease of held) await renewLease(inside, { ...lease, expiresAt }, clock.now());
      }),
    async release(id) {
      await drop(lease => lease('id', '=', id));
    },
    dropOf: holder => drop(lease => lease('holder', '=', holder)),
    dropExpired: (isAlive = () => false) =>
      atomically(db, async inside => {
        const expired = inside.selectFrom('leases').select(['id', 'holder']);
        const rows = await expired.where('expiresAt', '<=', clock.now()).execute();
        const dead = rows.filter(lease => !isAlive(lease)).map(({ id }) => id);
        return dead.length === 0 ? [] : dropLeases(inside, lease => lease('id', 'in', dead), clock.now());
      }),
    list(sandboxId) {
      const query = db.selectFrom('leases').selectAll().orderBy('takenAt').orderBy('id');
      return (sandboxId === undefined ? query : query.where('sandboxId', '=', sandboxId)).execute();
    },
  };
}

type Which = (lease: ExpressionBuilder<Tables, 'leases'>) => Expression<SqlBool>;

async function takeLease(db: Database, lease: NewLease, now: number): Promise<Lease | undefined> {
  if (!(await holdSandbox(db, lease, now))) return undefined;
  return db
    .insertInto('leases')
    .values({ ...lease, id: newId(), takenAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function renewLease(db: Database, lease: Lease, now: number): Promise<void> {
  const { id, expiresAt } = lease;
  const { numUpdatedRows } = await db
    .updateTable('leases')
    .set({ expiresAt })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows > 0n || !(await holdSandbox(db, lease, now))) return;
  await db.insertInto('leases').values(lease).execute();
}

/** False when the sandbox is not the session's, or nobody can use it. */
async function holdSandbox(
  db: Database,
  { sandboxId, sessionId }: Pick<NewLease, 'sandboxId' | 'sessionId'>,
  now: number,
): Promise<boolean> {
  const held = await db
    .updateTable('sandboxes')
    .set(({ eb }) => ({
      state: 'leased',
      stateSince: eb.case().when('state', '=', 'leased').then(eb.ref('stateSince')).else(now).end(),
      idleSince: null,
    }))
    .where('id', '=', sandboxId)
    .where(owned =>
      sessionId === null ? owned('sessionId', 'is', null) : owned('sessionId', '=', sessionId),
    )
    .where('state', 'in', ['ready', 'leased'])
    .returning('id')
    .executeTakeFirst();
  return held !== undefined;
}

async function dropLeases(db: Database, which: Which, now: number): Promise<readonly Lease[]> {
  // Where several may write at once, two who drop the last two leases must not each see the other's still there.
  await db
    .updateTable('sandboxes')
    .set(({ ref }) => ({ state: ref('state') }))
    .where('id', 'in', db.selectFrom('leases').select('sandboxId').where(which))
    .execute();
  const dropped = await db.deleteFrom('leases').where(which).returningAll().execute();
  if (dropped.length === 0) return dropped;
  await db
    .updateTable('sandboxes')
    .set({ state: 'ready', stateSince: now, idleSince: now })
    .where('state', '=', 'leased')
    .where(
      'id',
      'in',
      dropped.map(({ sandboxId }) => sandboxId),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('leases').select('leases.id').whereRef('leases.sandboxId', '=', 'sandboxes.id'))),
    )
    .execute();
  return dropped;
}
