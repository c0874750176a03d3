// Background processes of sandboxes. As long as one runs, its sandbox is kept alive, and its end is told once.
import type { Selectable } from 'kysely';
import type { StoreParts } from './store.ts';
import type { Database, ProcessTable } from './tables.ts';

export type ProcessRecord = Readonly<Selectable<ProcessTable>>;

export interface ProcessRef {
  readonly sandboxId: string;
  readonly id: string;
}

export type ProcessEnd =
  | { readonly state: 'exited' | 'signaled'; readonly code: number }
  /** It is over, and nobody saw how. */
  | { readonly state: 'ended' };

export interface Processes {
  /** Writes a running one down, its command redacted. */
  enter(process: ProcessRef & { readonly command: string; readonly checkIntervalMs?: number }): Promise<void>;
  /** The first end that is reported stays. `lastOutput`: redacted before it was cut. */
  end(process: ProcessRef, end: ProcessEnd, lastOutput?: string): Promise<void>;
  /** It still runs, and its chat is to be told; nothing happens after its end. */
  checked(process: ProcessRef, lastOutput?: string): Promise<void>;
  /** All that still run there are over, such as when the sandbox is gone. */
  endAll(sandboxId: string): Promise<void>;
  list(sandboxId: string): Promise<readonly ProcessRecord[]>;
  /** The sandboxes in which something runs. */
  busySandboxes(): Promise<readonly string[]>;
  /** Those that have ended since their chat was last told, oldest first. */
  untold(): Promise<readonly ProcessRecord[]>;
  markTold(process: ProcessRef): Promise<void>;
  /** Those that still run and were checked since their chat was last told, oldest check first. */
  untoldProgress(): Promise<readonly ProcessRecord[]>;
  markProgressTold(process: ProcessRef): Promise<void>;
}

export function processes(db: Database, { clock, redact }: StoreParts): Processes {
  const all = db.selectFrom('processes').selectAll();
  const running = db.updateTable('processes').where('state', '=', 'running');
  return {
    async enter({ sandboxId, id, command, checkIntervalMs }) {
      await db
        .insertInto('processes')
        .values({
          ...{ sandboxId, id, command: redact(command), state: 'running', startedAt: clock.now() },
          checkIntervalMs: checkIntervalMs ?? null,
        })
        .execute();
    },
    async end({ sandboxId, id }, { state, ...end }, lastOutput = '') {
      const code = 'code' in end ? end.code : null;
      await running
        .set({ state, code, endedAt: clock.now(), lastOutput: redact(lastOutput), progressAt: null })
        .where('sandboxId', '=', sandboxId)
        .where('id', '=', id)
        .execute();
    },
    async endAll(sandboxId) {
      await running
        .set({ state: 'ended', endedAt: clock.now(), lastOutput: null, progressAt: null })
        .where('sandboxId', '=', sandboxId)
        .execute();
    },
    async checked({ sandboxId, id }, lastOutput = '') {
      await running
        .set({ lastOutput: redact(lastOutput), progressAt: clock.now() })
        .where('sandboxId', '=', sandboxId)
        .where('id', '=', id)
        .execute();
    },
    list: sandboxId => all.where('sandboxId', '=', sandboxId).orderBy('startedAt').orderBy('id').execute(),
    async busySandboxes() {
      const rows = await db
        .selectFrom('processes')
        .select('sandboxId')
        .distinct()
        .where('state', '=', 'running')
        .execute();
      return rows.map(({ sandboxId }) => sandboxId);
    },
    untold: () =>
      all
        .where('state', '!=', 'running')
        .where('toldAt', 'is', null)
        .orderBy('endedAt')
        .orderBy('id')
        .execute(),
    async markTold({ sandboxId, id }) {
      await db
        .updateTable('processes')
        .set({ toldAt: clock.now() })
        .where('sandboxId', '=', sandboxId)
        .where('id', '=', id)
        .execute();
    },
    untoldProgress: () =>
      all.where('progressAt', 'is not', null).orderBy('progressAt').orderBy('id').execute(),
    async markProgressTold({ sandboxId, id }) {
      await db
        .updateTable('processes')
        .set({ progressAt: null })
        .where('sandboxId', '=', sandboxId)
        .where('id', '=', id)
        .execute();
    },
  };
}
