// The settings of execute_code.
import { integer } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Code execution',
  doc: 'Limits of programs that the agent writes and runs.',
  settings: {
    'code_execution.timeout': setting(integer(1, 86_400, 'seconds'), {
      default: 300,
      doc: 'How long a program may run.',
    }),
    'code_execution.max_tool_calls': setting(integer(0, 10_000), {
      default: 50,
      doc: 'How many tool calls one program may make.',
    }),
    'code_execution.max_stdout': setting(integer(1, 10_000, 'KB'), {
      default: 50,
      doc: 'How much of a program’s standard output is kept: its beginning and its end.',
    }),
    'code_execution.max_stderr': setting(integer(1, 10_000, 'KB'), {
      default: 10,
      doc: 'How much of its error output is kept.',
    }),
  },
});
