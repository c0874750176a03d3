// Questions to a human about one exact action.
import type { Migration } from '../migrate.ts';

export const approvals: Migration = {
  name: 'approvals',
  statements: () => [
    `create table approvals (
      id text primary key,
      session_id text not null references sessions (id) on delete cascade,
      sandbox_id text,
      run_id text not null,
      requester text not null,
      command text not null,
      findings text not null,
      nonce text not null,
      state text not null check (state in ('pending', 'approved', 'denied', 'expired', 'closed')),
      scope text check (scope in ('once', 'session', 'always')),
      answered_by text,
      answered_at bigint,
      reason text,
      asked_at bigint not null,
      expires_at bigint not null
    )`,
    'create index approvals_by_session on approvals (session_id)',
    'create index approvals_by_state on approvals (state, expires_at)',
  ],
};
