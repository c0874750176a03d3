// The settings of the bubblewrap backend.
import { matching } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Bubblewrap',
  doc: 'How the daemonless `bubblewrap` backend makes sandboxes.',
  settings: {
    'terminal.bubblewrap_root': optional(matching(/^\//, 'the absolute path of a folder'), {
      env: 'TERMINAL_BUBBLEWRAP_ROOT',
      unset: 'the system folders of this machine, read-only',
      doc: 'An unpacked root file system to use instead of this machine’s own.',
    }),
  },
});
