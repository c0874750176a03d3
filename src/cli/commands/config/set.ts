// hermes config set: changes one setting.
import { defineCommand } from '../../command.ts';
import { changeSetting } from './change-setting.ts';

export const configSet = defineCommand({
  doc: 'Checks the value and writes it: secrets to .env, all else to config.yaml, whose comments stay. Lists are JSON.',
  flags: {},
  args: [
    { name: 'key', doc: 'a setting, or the name of its variable', isSetting: true },
    { name: 'value', doc: 'the new value; - reads it from standard input' },
  ],
  examples: [
    ['config set terminal.backend docker', 'run commands in Docker'],
    [`config set gateway.sandbox_volumes '["/srv/data:/data:ro"]'`, 'a list'],
    ['config set TELEGRAM_BOT_TOKEN - < token.txt', 'a secret, not shown to others; it goes to .env'],
  ],
  async run({ args }, context) {
    // What stands on a command line can be seen by every user of the machine.
    const text = args.value === '-' ? await context.readInput() : args.value;
    return changeSetting(args.key, text, context);
  },
  render: ({ key, shown, file }) => `${key} = ${shown}  (${file})`,
});
