// hermes config set: changes one setting.
import { defineCommand } from '../../command.ts';
import { changeSetting } from './change-setting.ts';

export const configSet = defineCommand({
  doc: 'Checks the value and writes it: secrets to .env, all else to config.yaml, whose comments stay. Lists are JSON.',
  flags: {},
  args: [
    { name: 'key', doc: 'a setting, or the name of its variable' },
    { name: 'value', doc: 'the new value' },
  ],
  examples: [
    ['config set terminal.backend docker', 'run commands in Docker'],
    [`config set gateway.sandbox_volumes '["/srv/data:/data:ro"]'`, 'a list'],
    ['config set TELEGRAM_BOT_TOKEN 123456:abc', 'a secret; it goes to .env'],
  ],
  run: ({ args }, context) => changeSetting(args.key, args.value, context),
  render: ({ key, shown, file }) => `${key} = ${shown}  (${file})`,
});
