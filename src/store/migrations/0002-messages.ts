// People, and what they say and are told: inbox and outbox.
import type { Migration } from '../migrate.ts';

export const messages: Migration = {
  name: 'messages',
  statements: ({ numbered }) => [
    `create table people (
      platform text not null,
      user_id text not null,
      name text,
      role text not null check (role in ('owner', 'user')),
      standing text not null check (standing in ('allowed', 'denied')),
      decided_by text not null,
      decided_at bigint not null,
      primary key (platform, user_id)
    )`,
    `create table inbox (
      seq ${numbered},
      platform text not null,
      chat text not null,
      message_id text not null,
      session_id text not null references sessions (id) on delete cascade,
      person text not null,
      body text not null,
      state text not null check (state in ('waiting', 'taken', 'done')),
      run_id text,
      received_at bigint not null,
      done_at bigint,
      unique (platform, chat, message_id)
    )`,
    'create index inbox_by_session on inbox (session_id, state)',
    'create index inbox_by_state on inbox (state, session_id)',
    `create table outbox (
      seq ${numbered},
      session_id text not null references sessions (id) on delete cascade,
      run_id text,
      platform text not null,
      chat text not null,
      thread text,
      body text not null,
      state text not null check (state in ('waiting', 'sending', 'sent', 'failed')),
      attempts integer not null,
      interrupted integer not null,
      due_at bigint not null,
      created_at bigint not null,
      sent_at bigint,
      sent_id text,
      problem text
    )`,
    'create index outbox_by_session on outbox (session_id)',
    'create index outbox_by_chat on outbox (platform, chat, state)',
    'create index outbox_by_state on outbox (state, due_at)',
  ],
};
