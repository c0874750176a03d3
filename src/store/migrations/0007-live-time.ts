// How long each sandbox has been live in all, for those that are billed by time.
import type { Migration } from '../migrate.ts';

export const liveTime: Migration = {
  name: 'live-time',
  statements: () => [
    'alter table sandboxes add column live_ms bigint not null default 0',
    'alter table sandboxes add column live_since bigint',
  ],
};
