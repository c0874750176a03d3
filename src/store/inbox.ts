// Messages that have come in: stored before they are acknowledged, each once, until a run has dealt with them (P12).
import type { Selectable } from 'kysely';
import { jsonOf } from '../base/json-of.ts';
import type { StoreParts } from './store.ts';
import type { Database, InboxTable } from './tables.ts';

type Row = Selectable<InboxTable>;

/** `body` is plain JSON that whoever wrote it also reads, undefined when it is damaged; `seq` gives the order of arrival. */
export type IncomingMessage = Readonly<Omit<Row, 'body'>> & { readonly body: unknown };

export interface NewIncomingMessage {
  readonly platform: string;
  readonly chat: string;
  /** The platform's own id, by which repeats are known. */
  readonly messageId: string;
  readonly sessionId: string;
  readonly person: string;
  readonly body: unknown;
  /** Who has it from the beginning, as with a command that acts at once; absent = it waits. */
  readonly runId?: string;
}

export interface Inbox {
  /** Undefined when the platform has delivered it before. */
  put(message: NewIncomingMessage): Promise<IncomingMessage | undefined>;
  /** Gives everything that waits in the session to the run, in order; with `only`, none but these. */
  take(sessionId: string, runId: string, only?: readonly number[]): Promise<readonly IncomingMessage[]>;
  /** The run has dealt with what it took. */
  finish(runId: string): Promise<void>;
  /** These cannot be dealt with. */
  setAside(seqs: readonly number[]): Promise<void>;
  /** What it took waits again: for any run, or for this one to go on. */
  putBack(runId: string, next?: 'again' | 'continue'): Promise<void>;
  /** What runs have taken and not finished; at start these are the runs that a crash cut off. */
  unfinished(): Promise<readonly IncomingMessage[]>;
  /** Everything that waits, in the order of arrival. */
  waiting(): Promise<readonly IncomingMessage[]>;
  /** Forgets what was done before then; its repeats would be taken for new. Returns how many. */
  forgetDone(before: number): Promise<number>;
}

const putting = (db: Database, row: Omit<Row, 'seq' | 'doneAt' | 'resumes'>) =>
  db
    .insertInto('inbox')
    .values(row)
    .onConflict(conflict => conflict.columns(['platform', 'chat', 'messageId']).doNothing())
    .returningAll();

type Taken = Readonly<Pick<Row, 'sessionId'>> & { readonly runId: string };

const taking = (db: Database, { sessionId, runId }: Taken) =>
  db
    .updateTable('inbox')
    .set({ state: 'taken', runId })
    .where('sessionId', '=', sessionId)
    .where('state', '=', 'waiting')
    .returningAll();

const takingOne = (db: Database, { seq, ...taken }: Taken & { readonly seq: number }) =>
  taking(db, taken).where('seq', '=', seq);

const finishing = (db: Database, { runId, doneAt }: { readonly runId: string; readonly doneAt: number }) =>
  db
    .updateTable('inbox')
    .set({ state: 'done', doneAt })
    .where('state', '=', 'taken')
    .where('runId', '=', runId);

export function inbox(db: Database, { clock, prepared }: StoreParts): Inbox {
  const taken = db.updateTable('inbox').where('state', '=', 'taken');
  return {
    async put({ body, runId = null, ...rest }) {
      const state = runId === null ? 'waiting' : 'taken';
      const { platform, chat, messageId, sessionId, person } = rest;
      const row = await prepared.first(db, putting, {
        ...{ platform, chat, messageId, sessionId, person },
        ...{ body: JSON.stringify(body), runId, state, receivedAt: clock.now() },
      });
      return row && messageOf(row);
    },
    async take(sessionId, runId, only) {
      const [seq] = only ?? [];
      const rows =
        seq !== undefined && only?.length === 1
          ? await prepared.rows(db, takingOne, { sessionId, runId, seq })
          : await taking(db, { sessionId, runId })
              .$if(only !== undefined, query => query.where('seq', 'in', only ?? []))
              .execute();
      return rows.toSorted((a, b) => a.seq - b.seq).map(messageOf);
    },
    async finish(runId) {
      await prepared.run(db, finishing, { runId, doneAt: clock.now() });
    },
    async setAside(seqs) {
      const done = db.updateTable('inbox').set({ state: 'done', doneAt: clock.now() });
      await done.where('seq', 'in', seqs).execute();
    },
    async putBack(runId, next = 'again') {
      const resumes = next === 'continue' ? runId : null;
      await taken.set({ state: 'waiting', runId: null, resumes }).where('runId', '=', runId).execute();
    },
    async unfinished() {
      const query = db.selectFrom('inbox').selectAll().where('state', '=', 'taken').orderBy('seq');
      return (await query.execute()).map(messageOf);
    },
    async waiting() {
      const query = db.selectFrom('inbox').selectAll().where('state', '=', 'waiting').orderBy('seq');
      return (await query.execute()).map(messageOf);
    },
    async forgetDone(before) {
      const { numDeletedRows } = await db
        .deleteFrom('inbox')
        .where('state', '=', 'done')
        .where('doneAt', '<', before)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function messageOf(row: Row): IncomingMessage {
  return { ...row, body: jsonOf(row.body) };
}
