// Strangers who have asked to be let in, wrong approvals, and where people can be reached in private.
import type { Migration } from '../migrate.ts';

export const pairings: Migration = {
  name: 'pairings',
  statements: () => [
    `create table pairings (
      id text primary key,
      platform text not null,
      user_id text not null,
      name text not null,
      code_hash text not null,
      event text not null,
      state text not null check (state in ('pending', 'approved')),
      decided_by text,
      created_at bigint not null,
      asked_at bigint not null,
      expires_at bigint not null,
      unique (platform, user_id)
    )`,
    'create index pairings_by_state on pairings (state, created_at)',
    `create table approval_failures (
      platform text primary key,
      failures integer not null,
      last_at bigint not null,
      locked_until bigint
    )`,
    'alter table people add column chat text',
  ],
};
