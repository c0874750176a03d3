// hermes config check: lists every problem, and what would keep a gateway from starting.
import { defineCommand, type Look } from '../../command.ts';
import { wrapText } from '../../table.ts';
import type { StartCheck } from './check-start.ts';

interface Checked extends StartCheck {
  /** A gateway would start with it, as far as can be told without one. */
  readonly valid: boolean;
  readonly file: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notices: readonly string[];
  /** What restricted somebody in the original Hermes and does not here. */
  readonly warnings: readonly string[];
}

/** As CONFIG_INVALID has it. */
const EX_CONFIG = 78;

export const configCheck = defineCommand({
  doc: 'Reads every source of the configuration and lists all problems, each with its place and what is accepted. Then it decides as `gateway start` does where chats would run, asks the engine whether it works and has the image or can pull it, and looks whether ports are free and tokens look like tokens. Exits 78 when a gateway would not start.',
  flags: { offline: { type: 'switch', doc: 'ask no engine and no registry' } },
  args: [],
  examples: [
    ['config check', 'is everything in order?'],
    ['config check --set terminal.backend=docker', 'would it be, with this change?'],
    ['config check --offline', 'only what can be told without asking an engine'],
  ],
  async run({ flags }, context): Promise<Checked> {
    const config = await context.config();
    const counts: Record<string, number> = {};
    for (const { origin } of config.entries()) counts[origin.from] = (counts[origin.from] ?? 0) + 1;
    const { checkStart } = await import('./check-start.ts');
    const start = await checkStart(config, context, flags.offline ? 'nobody' : 'engines');
    const valid = start.found.every(({ severity }) => severity === 'warning');
    return {
      valid,
      file: config.paths.config,
      counts,
      notices: config.notices,
      warnings: config.warnings,
      ...start,
    };
  },
  render: renderCheck,
  exitCode: ({ valid }) => (valid ? 0 : EX_CONFIG),
});

function renderCheck(
  { valid, file, counts, notices, warnings, backend, found, notChecked }: Checked,
  look: Look,
): string {
  const { colors } = look;
  const places = { file: 'config.yaml', dotenv: '.env', environment: 'the environment', flag: 'flags' };
  const set = Object.entries(places)
    .filter(([from]) => counts[from])
    .map(([from, place]) => `${counts[from]} set by ${place}`);
  const detail =
    set.length > 0 ? `Settings: ${set.join(', ')}, the rest are defaults` : 'All settings are defaults';
  const verdict = valid
    ? colors.green('The configuration is valid.')
    : colors.red('A gateway would not start with this configuration.');
  return [
    `${verdict} ${detail}.`,
    `File: ${file}`,
    ...(backend === null ? [] : [`Chats run on ${backend}.`]),
    ...found.map(({ subject, severity, message, fix }) => {
      const paint = severity === 'error' ? colors.red : colors.yellow;
      return wrapText(`${severity}: ${subject}: ${message} ${fix}`, look).replace(severity, paint(severity));
    }),
    ...notChecked.map(text => wrapText(`not checked: ${text}`, look)),
    ...warnings,
    ...notices.map(notice => `${colors.yellow('note:')} ${notice}`),
  ].join('\n');
}
