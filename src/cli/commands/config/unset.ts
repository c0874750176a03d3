// hermes config unset: returns to the default.
import { defineCommand } from '../../command.ts';
import { changeSetting } from './change-setting.ts';

export const configUnset = defineCommand({
  doc: 'Removes a setting from config.yaml or .env, so that its default holds again.',
  flags: {},
  args: [{ name: 'key', doc: 'a setting, or the name of its variable', isSetting: true }],
  examples: [['config unset terminal.timeout', 'back to the default']],
  run: ({ args }, context) => changeSetting(args.key, undefined, context),
  render: ({ key, file }) => `${key} is unset  (${file})`,
});
