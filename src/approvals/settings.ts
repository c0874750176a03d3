// The settings of approvals.
import { choice, integer, listOf, text } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Approvals',
  doc: 'When a person is asked before a command runs.',
  settings: {
    'approvals.mode': setting(choice(['manual', 'smart', 'off'], { wordForFalse: 'off' }), {
      default: 'manual',
      doc: 'Ask a person, let a model pre-sort the harmless, or never ask.',
    }),
    'approvals.timeout': setting(integer(5, 86_400, 'seconds'), {
      default: 300,
      doc: 'How long an owner has to answer; afterwards the answer is no.',
    }),
    'approvals.deny': setting(listOf(text('commands or patterns')), {
      default: [],
      doc: 'Commands that never run, whoever approves and also with mode `off`. An entry forbids every command of that program with at least its flags and with its words first, however flags are written and whatever it is wrapped in; `*` stands for any text.',
    }),
    command_allowlist: setting(listOf(text('commands or patterns')), {
      default: [],
      doc: 'Commands that are never asked about: exactly so, with `*` for a part of one word, or, as `shape: …`, learned by program and flags.',
    }),
  },
});
