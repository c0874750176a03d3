// Messages on their way out: kept until the platform has taken them, in order for each chat (P12).
import { type Selectable, sql } from 'kysely';
import { jsonOf } from '../base/json-of.ts';
import { there } from './prepared.ts';
import type { StoreParts } from './store.ts';
import type { Database, OutboxTable } from './tables.ts';

type Row = Selectable<OutboxTable>;

/** `body` is plain JSON that whoever wrote it also reads, undefined when it is damaged. With `interrupted` above 0 it may have arrived already. */
export type OutgoingMessage = Readonly<Omit<Row, 'body'>> & { readonly body: unknown };

export interface NewOutgoingMessage {
  readonly sessionId: string;
  readonly runId?: string;
  readonly platform: string;
  readonly chat: string;
  readonly thread?: string;
  readonly body: unknown;
}

export interface SendFailure {
  /** Redacted when it is written. */
  readonly problem: string;
  /** Nobody can know: sending it again may be a repeat. Absent = it did not. */
  readonly mayHaveArrived?: boolean;
}

export interface UndeliveredFilter {
  /** When the oldest one was written. */
  readonly since: number;
  /** Absent = of every chat. */
  readonly to?: Pick<Row, 'platform' | 'chat'>;
}

export interface Outbox {
  put(message: NewOutgoingMessage): Promise<OutgoingMessage>;
  find(seq: number): Promise<OutgoingMessage | undefined>;
  /** All that a run has put there, in order. */
  ofRun(sessionId: string, runId: string): Promise<readonly OutgoingMessage[]>;
  /** Everything that waits, whenever it is due, in order. */
  waiting(): Promise<readonly OutgoingMessage[]>;
  /** Everything that is being sent, or was when its sender ended, in order. */
  sending(): Promise<readonly OutgoingMessage[]>;
  /** Written down before the platform is called; false when it is not waiting any more. */
  startSending(seq: number): Promise<boolean>;
  markSent(seq: number, sentId: string): Promise<void>;
  /** `sentId`: of those of its parts that have arrived all the same; absent = as it was. */
  postpone(
    seq: number,
    failure: SendFailure & { readonly dueAt: number; readonly sentId?: string | null },
  ): Promise<void>;
  giveUp(seq: number, failure: SendFailure): Promise<void>;
  /** What counts as sent and has this id of the platform, or a part with it. */
  findSent(platform: string, sentId: string): Promise<OutgoingMessage | undefined>;
  /** The platform accepted it and says later that it did not arrive. Changes only what counts as sent. */
  markUndelivered(seq: number, problem: string): Promise<void>;
  /** Messages that will not arrive; the beginnings of answers are none, their end follows. */
  undelivered(filter: UndeliveredFilter): Promise<readonly OutgoingMessage[]>;
  /** Beginnings of answers that were sent and that no edit has followed. */
  openLives(): Promise<readonly OutgoingMessage[]>;
  /** At start: beginnings of answers that were not sent for sure will not be. */
  dropLives(): Promise<void>;
  /**
   * At start: what was being sent when the last gateway died waits again, and is known to be a possible repeat. With `only`,
   * none but these.
   */
  recoverInterrupted(only?: readonly number[]): Promise<readonly OutgoingMessage[]>;
  /** Forgets what was sent before then, and what was put there before and given up; returns how many. */
  forgetSettled(before: number): Promise<number>;
}

const putting = (db: Database, row: Omit<Row, 'seq' | 'sentAt' | 'sentId' | 'problem'>) =>
  db.insertInto('outbox').values(row).returningAll();

const starting = (db: Database, { seq }: { readonly seq: number }) =>
  db
    .updateTable('outbox')
    .set(({ eb }) => ({ state: 'sending', attempts: eb('attempts', '+', 1) }))
    .where('seq', '=', seq)
    .where('state', '=', 'waiting');

type SentRow = { readonly seq: number; readonly sentAt: number; readonly sentId: string };

const marking = (db: Database, { seq, ...sent }: SentRow) =>
  db
    .updateTable('outbox')
    .set({ state: 'sent', problem: null, ...sent })
    .where('seq', '=', seq)
    .where('state', '=', 'sending');

export function outbox(db: Database, { clock, redact, prepared }: StoreParts): Outbox {
  const all = db.selectFrom('outbox').selectAll().orderBy('seq');
  const sending = (seq: number) =>
    db.updateTable('outbox').where('seq', '=', seq).where('state', '=', 'sending');
  return {
    async put({ runId = null, thread = null, body, ...rest }) {
      const now = clock.now();
      const { sessionId, platform, chat } = rest;
      const row = await prepared.first(db, putting, {
        ...{ sessionId, runId, platform, chat, thread, body: JSON.stringify(body) },
        ...{ state: 'waiting', attempts: 0, interrupted: 0, dueAt: now, createdAt: now },
      });
      return messageOf(there(row));
    },
    async find(seq) {
      const row = await all.where('seq', '=', seq).executeTakeFirst();
      return row && messageOf(row);
    },
    async ofRun(sessionId, runId) {
      const rows = await all.where('sessionId', '=', sessionId).where('runId', '=', runId).execute();
      return rows.map(messageOf);
    },
    async waiting() {
      return (await all.where('state', '=', 'waiting').execute()).map(messageOf);
    },
    async sending() {
      return (await all.where('state', '=', 'sending').execute()).map(messageOf);
    },
    async startSending(seq) {
      const { numAffectedRows = 0n } = await prepared.run(db, starting, { seq });
      return numAffectedRows > 0n;
    },
    async markSent(seq, sentId) {
      await prepared.run(db, marking, { seq, sentAt: clock.now(), sentId });
    },
    async postpone(seq, { problem, dueAt, mayHaveArrived, sentId }) {
      const change = {
        ...({ state: 'waiting', problem: redact(problem), dueAt } as const),
        ...(sentId === undefined ? {} : { sentId }),
      };
      await sending(seq)
        .set(({ eb }) => ({ ...change, interrupted: eb('interrupted', '+', mayHaveArrived ? 1 : 0) }))
        .execute();
    },
    async giveUp(seq, { problem, mayHaveArrived }) {
      const change = { state: 'failed', problem: redact(problem) } as const;
      await sending(seq)
        .set(({ eb }) => ({ ...change, interrupted: eb('interrupted', '+', mayHaveArrived ? 1 : 0) }))
        .execute();
    },
    ...undeliveredDoors(db, redact),
    async recoverInterrupted(only) {
      let query = db
        .updateTable('outbox')
        .set(({ eb }) => ({
          state: 'waiting',
          interrupted: eb('interrupted', '+', 1),
          dueAt: clock.now(),
        }))
        .where('state', '=', 'sending');
      if (only) query = query.where('seq', 'in', only);
      const rows = await query.returningAll().execute();
      return rows.toSorted((a, b) => a.seq - b.seq).map(messageOf);
    },
    ...livesDoors(db),
    forgetSettled: before => forgetSettled(db, before),
  };
}

/** `body` is JSON: quotes inside its texts are escaped, so that these patterns match its own fields alone. */
const LIVE = '%"kind":"live"%';
const EDIT = '%"kind":"edit"%';

function livesDoors(db: Database): Pick<Outbox, 'openLives' | 'dropLives'> {
  const all = db.selectFrom('outbox').selectAll().orderBy('seq');
  return {
    async openLives() {
      const lives = await all.where('body', 'like', LIVE).where('state', '=', 'sent').execute();
      const [oldest] = lives;
      if (!oldest) return [];
      const edits = await all.where('body', 'like', EDIT).where('seq', '>', oldest.seq).execute();
      const edited = new Set(
        edits.map(({ body }) => (jsonOf(body) as { target?: number } | undefined)?.target),
      ); // as the gateway wrote it
      return lives.filter(({ seq }) => !edited.has(seq)).map(messageOf);
    },
    async dropLives() {
      await db
        .updateTable('outbox')
        .set({ state: 'failed', problem: 'a restart cut it off' })
        .where('body', 'like', LIVE)
        .where('state', '=', 'waiting')
        .execute();
    },
  };
}

function undeliveredDoors(
  db: Database,
  redact: StoreParts['redact'],
): Pick<Outbox, 'findSent' | 'markUndelivered' | 'undelivered'> {
  return {
    findSent: (platform, sentId) => findSent(db, platform, sentId),
    async markUndelivered(seq, problem) {
      await db
        .updateTable('outbox')
        .set({ state: 'failed', problem: redact(problem) })
        .where('seq', '=', seq)
        .where('state', '=', 'sent')
        .execute();
    },
    async undelivered({ since, to }) {
      let query = db
        .selectFrom('outbox')
        .selectAll()
        .orderBy('seq')
        .where('state', '=', 'failed')
        .where('body', 'not like', LIVE)
        .where('createdAt', '>=', since);
      if (to) query = query.where('platform', '=', to.platform).where('chat', '=', to.chat);
      return (await query.execute()).map(messageOf);
    },
  };
}

/** `sentId` holds a JSON array; `like` finds candidates, because it ignores case on SQLite. */
async function findSent(
  db: Database,
  platform: string,
  sentId: string,
): Promise<OutgoingMessage | undefined> {
  const pattern = JSON.stringify(sentId).replaceAll(/[\\%_]/g, '\\$&');
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('platform', '=', platform)
    .where('state', '=', 'sent')
    .where(sql<boolean>`sent_id like ${`%${pattern}%`} escape '\\'`)
    .execute();
  const found = rows.find(row => idsIn(row.sentId).includes(sentId));
  return found && messageOf(found);
}

/** Of a JSON array; none when it is damaged. */
export function idsIn(sentId: string | null): readonly string[] {
  const ids = jsonOf(sentId ?? '[]');
  return Array.isArray(ids) ? ids.map(String) : [];
}

async function forgetSettled(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'sent'), eb('sentAt', '<', before)]),
        and([eb('state', '=', 'failed'), eb('createdAt', '<', before)]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function messageOf(row: Row): OutgoingMessage {
  return { ...row, body: jsonOf(row.body) };
}
