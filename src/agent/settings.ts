// The settings of the agent loop.
import { integer } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Agent',
  doc: 'The loop between model and tools.',
  settings: {
    'agent.max_turns': setting(integer(1, 10_000), {
      default: 90,
      doc: 'How many times the model may be called for one message.',
    }),
  },
});
