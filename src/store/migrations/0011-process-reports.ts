// What chats are told of background processes: the end of their output, and how they go on.
import type { Migration } from '../migrate.ts';

export const processReports: Migration = {
  name: 'process-reports',
  statements: () => [
    'alter table processes add column last_output text',
    'alter table processes add column check_interval_ms bigint',
    'alter table processes add column progress_at bigint',
    'create index processes_with_progress on processes (sandbox_id) where progress_at is not null',
  ],
};
