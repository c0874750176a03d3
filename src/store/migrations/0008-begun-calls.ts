// Which tool calls had begun when a process died, and which messages belong to a run that goes on after a restart.
import type { Migration } from '../migrate.ts';

export const begunCalls: Migration = {
  name: 'begun-calls',
  statements: () => [
    `create table begun_calls (
      run_id text not null,
      call_id text not null,
      begun_at bigint not null,
      primary key (run_id, call_id)
    )`,
    // Before, nobody wrote down which of them had begun: all count as begun.
    `insert into begun_calls (run_id, call_id, begun_at)
      select id, '*', started_at from runs where started_tool = 1 and state in ('running', 'cut-off')`,
    'alter table inbox add column resumes text',
  ],
};
