// Tool calls that have begun and have no answer yet. After a crash nobody knows whether these took effect; all others
// without an answer did nothing (P10).
import type { Clock } from '../base/clock.ts';
import type { Database } from './tables.ts';

export interface CallRef {
  readonly runId: string;
  /** Unique among the calls of the run that have no answer. */
  readonly callId: string;
}

export interface BegunCalls {
  /** Written down before the call can take effect. */
  mark(call: CallRef): Promise<void>;
  /** Its answer is in the history. */
  settle(call: CallRef): Promise<void>;
  ofRun(runId: string): Promise<BegunOfRun>;
  /** Forgets those of runs that have ended otherwise than by a crash; returns how many. */
  forgetEnded(): Promise<number>;
}

export interface BegunOfRun {
  has(callId: string): boolean;
}

/** Stands for every call of a run of an older version. */
const ALL = '*';

export function begunCalls(db: Database, clock: Clock): BegunCalls {
  return {
    async mark(call) {
      await db
        .insertInto('begunCalls')
        .values({ ...call, begunAt: clock.now() })
        .onConflict(conflict => conflict.columns(['runId', 'callId']).doNothing())
        .execute();
    },
    async settle({ runId, callId }) {
      await db.deleteFrom('begunCalls').where('runId', '=', runId).where('callId', '=', callId).execute();
    },
    async ofRun(runId) {
      const rows = await db.selectFrom('begunCalls').select('callId').where('runId', '=', runId).execute();
      const begun = new Set(rows.map(({ callId }) => callId));
      return { has: callId => begun.has(callId) || begun.has(ALL) };
    },
    async forgetEnded() {
      const live = db.selectFrom('runs').select('id').where('state', 'in', ['running', 'cut-off']);
      const { numDeletedRows } = await db
        .deleteFrom('begunCalls')
        .where('runId', 'not in', live)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
