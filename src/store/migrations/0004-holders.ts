// Who has begun a step with a sandbox, leases on sandboxes that are no session's, and losses that a session has still to
// be told of.
import type { Migration } from '../migrate.ts';

export const holders: Migration = {
  name: 'holders',
  statements: () => [
    'alter table sandboxes add column step_by text',
    'alter table sessions add column lost_at bigint',
    // Neither database can drop a `not null` in words that both understand.
    `create table leases_of_anybody (
      id text primary key,
      sandbox_id text not null references sandboxes (id) on delete cascade,
      session_id text references sessions (id) on delete cascade,
      holder text not null,
      purpose text not null,
      taken_at bigint not null,
      expires_at bigint not null
    )`,
    `insert into leases_of_anybody (id, sandbox_id, session_id, holder, purpose, taken_at, expires_at)
      select id, sandbox_id, session_id, holder, purpose, taken_at, expires_at from leases`,
    'drop table leases',
    'alter table leases_of_anybody rename to leases',
    'create index leases_by_sandbox on leases (sandbox_id)',
    'create index leases_by_session on leases (session_id)',
    'create index leases_by_holder on leases (holder)',
  ],
};
