// Strangers who have asked to be let in, each with the hash of a code and the message that is held for them; and how
// often an approval was tried with a wrong code. A request that is over is removed, so that rows stay few.
import type { Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { PersonRef } from './people.ts';
import type { ApprovalFailureTable, Database, PairingTable } from './tables.ts';

type Row = Selectable<PairingTable>;

/** `event` is plain JSON that whoever wrote it also reads. */
export type Pairing = Readonly<Omit<Row, 'event'>> & { readonly event: unknown };

export type ApprovalFailures = Readonly<Selectable<ApprovalFailureTable>>;

export interface NewPairing extends PersonRef {
  readonly name: string;
  readonly codeHash: string;
  readonly event: unknown;
  readonly expiresAt: number;
}

export interface Pairings {
  /** One for a person: an earlier one of theirs, whatever its state, is replaced. */
  ask(request: NewPairing): Promise<Pairing>;
  /** A new code for a request that is pending still. */
  renew(id: string, renewed: Pick<NewPairing, 'codeHash' | 'expiresAt'>): Promise<void>;
  /** Whose time is not over; oldest first. */
  pending(platform?: string): Promise<readonly Pairing[]>;
  /** Undefined when it is not pending, or its time is over. The message is held until `remove`. */
  approve(id: string, decidedBy: string): Promise<Pairing | undefined>;
  /** Those whose message has still to be dealt with; oldest first. */
  approved(): Promise<readonly Pairing[]>;
  remove(id: string): Promise<void>;
  removeOf(person: PersonRef): Promise<void>;
  /** All that are pending, also those whose time is over; returns how many. */
  clearPending(): Promise<number>;
  /** Removes what is pending and whose time is over. */
  expire(): Promise<void>;
  /** Also holds up everybody else who would read or write them until the transaction ends. */
  lockFailures(platform: string): Promise<ApprovalFailures>;
  setFailures(failures: ApprovalFailures): Promise<void>;
  /** Those platforms whose approvals are locked now. */
  locked(): Promise<readonly ApprovalFailures[]>;
}

export function pairings(db: Database, clock: Clock): Pairings {
  const all = db.selectFrom('pairings').selectAll().orderBy('createdAt').orderBy('id');
  const pending = db.updateTable('pairings').where('state', '=', 'pending');
  const remove = db.deleteFrom('pairings');
  return {
    async ask({ platform, userId, event, ...rest }) {
      const now = clock.now();
      const fresh = { state: 'pending', decidedBy: null, createdAt: now, askedAt: now } as const;
      const values = { id: newId(), ...rest, event: JSON.stringify(event), ...fresh };
      const row = await db
        .insertInto('pairings')
        .values({ platform, userId, ...values })
        .onConflict(conflict => conflict.columns(['platform', 'userId']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      return pairingOf(row);
    },
    async renew(id, renewed) {
      await pending
        .set({ ...renewed, askedAt: clock.now() })
        .where('id', '=', id)
        .execute();
    },
    async pending(platform) {
      let query = all.where('state', '=', 'pending').where('expiresAt', '>', clock.now());
      if (platform !== undefined) query = query.where('platform', '=', platform);
      return (await query.execute()).map(pairingOf);
    },
    async approve(id, decidedBy) {
      const row = await pending
        .set({ state: 'approved', decidedBy })
        .where('id', '=', id)
        .where('expiresAt', '>', clock.now())
        .returningAll()
        .executeTakeFirst();
      return row && pairingOf(row);
    },
    approved: async () => (await all.where('state', '=', 'approved').execute()).map(pairingOf),
    async remove(id) {
      await remove.where('id', '=', id).execute();
    },
    async removeOf({ platform, userId }) {
      await remove.where('platform', '=', platform).where('userId', '=', userId).execute();
    },
    async clearPending() {
      const { numDeletedRows } = await remove.where('state', '=', 'pending').executeTakeFirst();
      return Number(numDeletedRows);
    },
    async expire() {
      await remove.where('state', '=', 'pending').where('expiresAt', '<=', clock.now()).execute();
    },
    ...failureDoor(db, clock),
  };
}

function failureDoor(db: Database, clock: Clock): Pick<Pairings, 'lockFailures' | 'setFailures' | 'locked'> {
  return {
    lockFailures: platform =>
      db
        .insertInto('approvalFailures')
        .values({ platform, failures: 0, lastAt: clock.now(), lockedUntil: null })
        // Writing the row, even as it is, is what makes others wait.
        .onConflict(conflict => conflict.column('platform').doUpdateSet({ platform }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    async setFailures({ platform, ...values }) {
      await db.updateTable('approvalFailures').set(values).where('platform', '=', platform).execute();
    },
    locked: () =>
      db
        .selectFrom('approvalFailures')
        .selectAll()
        .where('lockedUntil', '>', clock.now())
        .orderBy('platform')
        .execute(),
  };
}

function pairingOf(row: Row): Pairing {
  return { ...row, event: JSON.parse(row.event) };
}
