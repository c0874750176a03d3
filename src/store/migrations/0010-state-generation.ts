// How far the state has come, so that an older copy of it is known as one.
import type { Migration } from '../migrate.ts';

export const stateGeneration: Migration = {
  name: 'state-generation',
  statements: () => [
    'alter table installation add column generation bigint not null default 0',
    'alter table installation add column generation_at bigint',
  ],
};
