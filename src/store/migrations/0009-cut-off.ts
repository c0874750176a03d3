// Commands that ran on without their gateway and were ended, until their chat has been told.
import type { Migration } from '../migrate.ts';

export const cutOff: Migration = {
  name: 'cut-off',
  statements: () => [
    'alter table sessions add column cut_off_commands integer not null default 0',
    'create index sessions_with_cut_off on sessions (id) where cut_off_commands > 0',
  ],
};
