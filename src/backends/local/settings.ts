// The settings of the local backend.
import { flag } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Local',
  doc: 'The `local` backend runs commands on this machine, without isolation.',
  settings: {
    'terminal.local_persistent': setting(flag(), {
      default: false,
      env: 'TERMINAL_LOCAL_PERSISTENT',
      doc: 'Persistent shell on the local backend.',
    }),
  },
});
