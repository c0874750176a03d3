// hermes config path: tells where the files are.
import { configPaths } from '../../../config/load.ts';
import { defineCommand } from '../../command.ts';

export const configPath = defineCommand({
  doc: 'Prints the path of config.yaml. With --json also those of the home folder and of .env.',
  flags: {},
  args: [],
  examples: [
    ['config path', 'print the path'],
    ['config path --json', 'all three paths'],
  ],
  run: async (_input, { environment }) => configPaths(environment),
  render: paths => paths.config,
});
