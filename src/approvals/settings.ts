// The settings of approvals.
import { choice, listOf, text } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Approvals',
  doc: 'When a person is asked before a command runs.',
  settings: {
    'approvals.mode': setting(choice(['manual', 'smart', 'off'], { wordForFalse: 'off' }), {
      default: 'manual',
      doc: 'Ask a person, let a model pre-sort the harmless, or never ask.',
    }),
    command_allowlist: setting(listOf(text('commands or patterns')), {
      default: [],
      doc: 'Commands that are never asked about.',
    }),
  },
});
