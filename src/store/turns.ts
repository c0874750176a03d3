// What was said in a session, message by message. Nothing is rewritten: a summary stands in the place of all up to the
// message that it covers, and the messages stay.
import type { Selectable } from 'kysely';
import { jsonOf } from '../base/json-of.ts';
import { there } from './prepared.ts';
import type { StoreParts } from './store.ts';
import type { Database, TurnTable } from './tables.ts';

type Row = Selectable<TurnTable>;

/** `message` is plain JSON that whoever wrote it also reads; `seq` gives the order. */
export interface StoredTurn {
  readonly seq: number;
  readonly runId: string;
  readonly message: unknown;
}

export interface NewTurn {
  readonly sessionId: string;
  readonly runId: string;
  readonly message: unknown;
}

export interface Compaction {
  readonly sessionId: string;
  readonly runId: string;
  /** `summary`: the text stands for all up to `covers`. `trim`: long results up to `covers` are shown shortened. */
  readonly kind: 'summary' | 'trim';
  /** The `seq` of the last message that it is about. */
  readonly covers: number;
  readonly text: string;
}

/** A session's history as a model is to see it. */
export interface History {
  readonly summary: { readonly text: string; readonly covers: number } | undefined;
  /** Results up to this `seq` are shown shortened; 0 = none. */
  readonly trimmedUpTo: number;
  /** All that no summary covers, oldest first. */
  readonly turns: readonly StoredTurn[];
}

export interface Turns {
  /** Returns its `seq`. */
  append(turn: NewTurn): Promise<number>;
  compact(compaction: Compaction): Promise<void>;
  history(sessionId: string): Promise<History>;
  /** The messages of one run, oldest first. */
  ofRun(runId: string): Promise<readonly StoredTurn[]>;
  /** As if the run had never been; what it has summarised stays so. */
  dropRun(runId: string): Promise<void>;
}

const inserting = (db: Database, row: Omit<Row, 'seq'>) =>
  db.insertInto('turns').values(row).returning('seq');

const newestOf = (db: Database, { sessionId, kind }: { readonly sessionId: string; readonly kind: string }) =>
  db
    .selectFrom('turns')
    .select(['covers', 'body'])
    .where('sessionId', '=', sessionId)
    .where('kind', '=', kind as Row['kind']) // one of those that `Compaction` has
    .orderBy('seq', 'desc')
    .limit(1);

const messagesAfter = (
  db: Database,
  { sessionId, covers }: { readonly sessionId: string; readonly covers: number },
) =>
  db
    .selectFrom('turns')
    .selectAll()
    .where('kind', '=', 'message')
    .where('sessionId', '=', sessionId)
    .where('seq', '>', covers)
    .orderBy('seq');

export function turns(db: Database, { clock, prepared }: StoreParts): Turns {
  const messages = db.selectFrom('turns').selectAll().where('kind', '=', 'message').orderBy('seq');
  const insert = async (row: Pick<Row, 'sessionId' | 'runId' | 'kind' | 'covers' | 'body'>) => {
    const { sessionId, runId, kind, covers, body } = row;
    const values = { sessionId, runId, kind, covers, body, createdAt: clock.now() };
    return there(await prepared.first(db, inserting, values)).seq;
  };
  const newest = (sessionId: string, kind: Compaction['kind']) =>
    prepared.first(db, newestOf, { sessionId, kind });
  return {
    append: ({ sessionId, runId, message }) =>
      insert({ sessionId, runId, kind: 'message', covers: null, body: JSON.stringify(message) }),
    async compact({ text, ...rest }) {
      await insert({ ...rest, body: text });
    },
    async history(sessionId) {
      const [summary, trim] = [await newest(sessionId, 'summary'), await newest(sessionId, 'trim')];
      const covers = summary?.covers ?? 0;
      const rows = await prepared.rows(db, messagesAfter, { sessionId, covers });
      return {
        summary: summary && { text: summary.body, covers },
        trimmedUpTo: trim?.covers ?? 0,
        turns: readable(rows),
      };
    },
    async ofRun(runId) {
      return readable(await messages.where('runId', '=', runId).execute());
    },
    async dropRun(runId) {
      await db.deleteFrom('turns').where('runId', '=', runId).where('kind', '=', 'message').execute();
    },
  };
}

/** Without those that are damaged: one message that cannot be read costs nobody the rest of the conversation. */
function readable(rows: readonly Row[]): readonly StoredTurn[] {
  return rows
    .map(({ seq, runId, body }) => ({ seq, runId, message: jsonOf(body) }))
    .filter(({ message }) => typeof message === 'object' && message !== null);
}
