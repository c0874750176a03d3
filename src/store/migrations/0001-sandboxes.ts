// The installation, its sessions, the ledger of sandboxes with leases and processes, and the audit.
import type { Migration } from '../migrate.ts';

export const sandboxes: Migration = {
  name: 'sandboxes',
  statements: ({ numbered }) => [...conversations, ...ledger, ...audit(numbered)],
};

const conversations = [
  `create table installation (
    slot integer primary key check (slot = 1),
    id text not null,
    created_at bigint not null,
    backend text,
    backend_chosen_at bigint,
    gateway_pid integer,
    gateway_started_at bigint
  )`,
  `create table sessions (
    id text primary key,
    key text not null,
    kind text not null check (kind in ('messaging', 'cli')),
    platform text not null,
    chat text not null,
    thread text,
    person text,
    network text check (network in ('none', 'open')),
    created_at bigint not null,
    active_at bigint not null,
    ended_at bigint
  )`,
  'create unique index sessions_current on sessions (key) where ended_at is null',
  'create index sessions_by_activity on sessions (active_at)',
];

const ledger = [
  `create table sandboxes (
    id text primary key,
    installation text not null,
    session_id text references sessions (id),
    backend text not null,
    name text,
    state text not null check (state in (
      'creating', 'ready', 'leased', 'suspending', 'suspended', 'resuming', 'destroying', 'gone', 'failed')),
    when_idle text not null check (when_idle in ('suspend', 'destroy')),
    policy_hash text not null,
    policy text not null,
    created_at bigint not null,
    state_since bigint not null,
    idle_since bigint,
    deadline bigint,
    attempts integer not null,
    retry_at bigint,
    problem text
  )`,
  `create unique index sandboxes_of_session on sandboxes (session_id)
    where state in ('creating', 'ready', 'leased', 'suspending', 'suspended', 'resuming')`,
  'create index sandboxes_by_session on sandboxes (session_id)',
  'create index sandboxes_by_state on sandboxes (state)',
  `create table leases (
    id text primary key,
    sandbox_id text not null references sandboxes (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    holder text not null,
    purpose text not null,
    taken_at bigint not null,
    expires_at bigint not null
  )`,
  'create index leases_by_sandbox on leases (sandbox_id)',
  'create index leases_by_session on leases (session_id)',
  'create index leases_by_holder on leases (holder)',
  `create table processes (
    id text not null,
    sandbox_id text not null references sandboxes (id) on delete cascade,
    command text not null,
    state text not null check (state in ('running', 'exited', 'signaled', 'ended')),
    code integer,
    started_at bigint not null,
    ended_at bigint,
    told_at bigint,
    primary key (sandbox_id, id)
  )`,
  'create index processes_by_state on processes (state, sandbox_id)',
];

const audit = (numbered: string): string[] => [
  `create table audit (
    seq ${numbered},
    at bigint not null,
    actor text not null,
    session_id text,
    sandbox_id text,
    action text not null,
    subject text not null,
    outcome text not null,
    details text not null
  )`,
  'create index audit_by_time on audit (at)',
  'create index audit_by_session on audit (session_id, seq)',
];
