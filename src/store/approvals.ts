// Questions to a human about one exact action. An answer counts once, in time, and with the nonce of the question (P8).
import type { Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { ApprovalTable, Database } from './tables.ts';

type Row = Selectable<ApprovalTable>;

/** `findings` is plain JSON that whoever wrote it also reads. */
export type Approval = Readonly<Omit<Row, 'findings'>> & { readonly findings: unknown };

export interface NewApproval {
  readonly sessionId: string;
  readonly sandboxId?: string;
  readonly runId: string;
  readonly requester: string;
  /** Whole, never shortened. */
  readonly command: string;
  readonly findings: unknown;
  readonly expiresAt: number;
}

export type Answer = { readonly nonce: string; readonly answeredBy: string } & (
  | { readonly state: 'approved'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly state: 'denied'; readonly reason?: string }
);

export interface Approvals {
  ask(question: NewApproval): Promise<Approval>;
  find(id: string): Promise<Approval | undefined>;
  /** Undefined when it is not pending, has expired, or has another nonce; `find` tells which. */
  answer(id: string, answer: Answer): Promise<Approval | undefined>;
  /** Those that can still be answered, oldest first. */
  pending(): Promise<readonly Approval[]>;
  /** Those that were approved for as long as the session lasts. */
  granted(sessionId: string): Promise<readonly Approval[]>;
  /** Marks those whose time is over; returns them. */
  expire(): Promise<readonly Approval[]>;
  /** Nobody needs the answer any more. Undefined when it was not pending. */
  close(id: string): Promise<Approval | undefined>;
  /** All that a run has asked, oldest first. */
  ofRun(runId: string): Promise<readonly Approval[]>;
}

export function approvals(db: Database, clock: Clock): Approvals {
  const all = db.selectFrom('approvals').selectAll();
  const pending = db.updateTable('approvals').where('state', '=', 'pending').returningAll();
  return {
    async ask({ findings, sandboxId = null, ...rest }) {
      const row = await db
        .insertInto('approvals')
        .values({
          ...{ ...rest, sandboxId, findings: JSON.stringify(findings) },
          ...{ id: newId(), nonce: newId(), state: 'pending', askedAt: clock.now() },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return approvalOf(row);
    },
    async find(id) {
      const row = await all.where('id', '=', id).executeTakeFirst();
      return row && approvalOf(row);
    },
    async answer(id, { nonce, ...answer }) {
      const now = clock.now();
      const row = await pending
        .set({ ...answer, answeredAt: now })
        .where('id', '=', id)
        .where('nonce', '=', nonce)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    async pending() {
      const rows = await all
        .where('state', '=', 'pending')
        .where('expiresAt', '>', clock.now())
        .orderBy('askedAt')
        .orderBy('id')
        .execute();
      return rows.map(approvalOf);
    },
    async granted(sessionId) {
      const rows = await all
        .where('sessionId', '=', sessionId)
        .where('state', '=', 'approved')
        .where('scope', '=', 'session')
        .execute();
      return rows.map(approvalOf);
    },
    async expire() {
      const rows = await pending.set({ state: 'expired' }).where('expiresAt', '<=', clock.now()).execute();
      return rows.map(approvalOf);
    },
    async close(id) {
      const row = await pending.set({ state: 'closed' }).where('id', '=', id).executeTakeFirst();
      return row && approvalOf(row);
    },
    async ofRun(runId) {
      const rows = await all.where('runId', '=', runId).orderBy('askedAt').orderBy('id').execute();
      return rows.map(approvalOf);
    },
  };
}

function approvalOf(row: Row): Approval {
  return { ...row, findings: JSON.parse(row.findings) };
}
