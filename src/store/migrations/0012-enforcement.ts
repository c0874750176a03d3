// How far each limit of a sandbox holds, as its driver found when it was made.
import type { Migration } from '../migrate.ts';

export const enforcement: Migration = {
  name: 'enforcement',
  statements: () => ['alter table sandboxes add column enforcement text'],
};
