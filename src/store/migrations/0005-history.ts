// Runs of the agent, and what was said in them.
import type { Migration } from '../migrate.ts';

export const history: Migration = {
  name: 'history',
  statements: ({ numbered }) => [
    `create table runs (
      id text primary key,
      session_id text not null references sessions (id) on delete cascade,
      holder text not null,
      requester text not null,
      state text not null check (state in ('running', 'answered', 'canceled', 'failed', 'cut-off')),
      started_tool integer not null check (started_tool in (0, 1)),
      input_tokens bigint not null,
      output_tokens bigint not null,
      model_calls integer not null,
      tool_calls integer not null,
      cost_micros bigint,
      context_tokens bigint,
      started_at bigint not null,
      ended_at bigint
    )`,
    'create index runs_by_session on runs (session_id, started_at)',
    'create index runs_by_state on runs (state)',
    `create table turns (
      seq ${numbered},
      session_id text not null references sessions (id) on delete cascade,
      run_id text not null,
      kind text not null check (kind in ('message', 'summary', 'trim')),
      covers bigint,
      body text not null,
      created_at bigint not null
    )`,
    'create index turns_by_session on turns (session_id, seq)',
    'create index turns_by_run on turns (run_id, seq)',
  ],
};
