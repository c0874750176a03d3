// hermes config check: lists every problem.
import { defineCommand } from '../../command.ts';

export const configCheck = defineCommand({
  doc: 'Reads every source of the configuration and lists all problems, each with its place and what is accepted.',
  flags: {},
  args: [],
  examples: [
    ['config check', 'is everything in order?'],
    ['config check --set terminal.backend=docker', 'would it be, with this change?'],
  ],
  async run(_input, context) {
    const config = await context.config();
    const counts: Record<string, number> = {};
    for (const { origin } of config.entries()) counts[origin.from] = (counts[origin.from] ?? 0) + 1;
    return { valid: true, file: config.paths.config, counts, notices: config.notices };
  },
  render({ file, counts, notices }, { colors }) {
    const places = { file: 'config.yaml', dotenv: '.env', environment: 'the environment', flag: 'flags' };
    const set = Object.entries(places)
      .filter(([from]) => counts[from])
      .map(([from, place]) => `${counts[from]} set by ${place}`);
    const detail =
      set.length > 0 ? `Settings: ${set.join(', ')}, the rest are defaults` : 'All settings are defaults';
    const lines = [`${colors.green('The configuration is valid.')} ${detail}.`, `File: ${file}`];
    return [...lines, ...notices.map(notice => `${colors.yellow('note:')} ${notice}`)].join('\n');
  },
});
