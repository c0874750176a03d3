// hermes explain: would this command be asked about in a messaging session, and why?
import { shownFindings } from '../../approvals/shown-findings.ts';
import { HermesError } from '../../base/errors.ts';
import { shellJoin } from '../../base/shell-quote.ts';
import type { HermesConfig } from '../../compose.ts';
import type { Decision } from '../../risk/decide.ts';
import { defineCommand, type Look } from '../command.ts';
import { wrapText } from '../table.ts';
import { exposureFor } from './exposure.ts';

interface Explained extends Decision {
  readonly command: string;
}

interface Answer {
  readonly commands: readonly Explained[];
  readonly isMany: boolean;
}

const EXIT = { allow: 0, ask: 10, deny: 11 } as const;

export const explain = defineCommand({
  doc: 'Takes a command apart without running it and says whether a messaging session would run it, ask an owner or refuse, with every finding and the part of the command that it is about. Exits 0 for allow, 10 for ask, 11 for deny; with --stdin always 0.',
  flags: {
    backend: {
      type: 'text',
      value: 'name',
      doc: 'where it would run; else gateway.terminal_backend, else terminal.backend',
    },
    stdin: { type: 'switch', doc: 'read commands from standard input, one in a line' },
  },
  args: [{ name: 'command', doc: 'what would be run, after --', rest: true, optional: true }],
  examples: [
    ["explain -- 'rm -rf build && git push --force'", 'a shell command'],
    ['explain --backend local -- sudo reboot', 'as if it ran on this machine'],
    ['explain --backend local --stdin --json < commands.txt', 'many, one JSON object in a line'],
  ],
  async run({ flags, args }, context): Promise<Answer> {
    const words: readonly string[] = args.command ?? [];
    if (flags.stdin === words.length > 0) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'Give a command after --, or --stdin, and not both.');
    }
    const config = await context.config(
      flags.backend === undefined
        ? {}
        : { 'gateway.terminal_backend': { flag: '--backend', text: flags.backend } },
    );
    const [{ analyse }, { decide }] = await Promise.all([
      import('../../risk/analyse.ts'),
      import('../../risk/decide.ts'),
    ]);
    const exposure = await exposureFor(config, { kind: 'messaging' }, null);
    const policy = {
      mode: config.get('approvals.mode'),
      deny: config.get('approvals.deny'),
      allowlist: config.get('command_allowlist'),
    };
    const lines = flags.stdin
      ? (await context.readInput()).split(/\r?\n/).filter(line => line.trim() !== '')
      : [words.length === 1 ? (words[0] ?? '') : shellJoin(words)];
    const hide = await hidingKnown(config);
    const commands = lines.map(command =>
      shown(
        { command, ...decide(command, analyse(command, { homes: [config.paths.home] }), exposure, policy) },
        hide,
      ),
    );
    return { commands, isMany: flags.stdin };
  },
  render: ({ commands }, look) => commands.map(each => renderOne(each, look)).join('\n\n'),
  renderJson: ({ commands, isMany }) =>
    isMany
      ? commands
          .map(({ command, verdict, findings }) => JSON.stringify({ command, verdict, findings }))
          .join('\n')
      : JSON.stringify(commands[0] ?? null, null, 2),
  exitCode: ({ commands, isMany }) => (isMany ? 0 : EXIT[commands[0]?.verdict ?? 'allow']),
});

/** Shapes are left: whoever asks has written the command, and wants to see what it is about. */
async function hidingKnown(config: HermesConfig): Promise<((text: string) => string) | undefined> {
  const { secretsOf } = await import('../../compose.ts');
  const secrets = secretsOf(config);
  if (secrets.length === 0) return undefined;
  const { createRedactor } = await import('../../base/redact/redactor.ts');
  return createRedactor({ secrets, shapes: 'off' }).redact;
}

function shown(explained: Explained, hide: ((text: string) => string) | undefined): Explained {
  if (!hide) return explained;
  const { command } = explained;
  return {
    ...explained,
    ...shownFindings(explained, hide),
    contained: shownFindings({ command, findings: explained.contained }, hide).findings,
    why: hide(explained.why),
  };
}

const VERDICTS = { allow: 'allowed', ask: 'would be asked', deny: 'denied' } as const;

/** Commands in whole lines, as they were given. */
function renderOne({ command, verdict, why, findings, contained }: Explained, look: Look): string {
  const { colors } = look;
  const paint = { allow: colors.green, ask: colors.yellow, deny: colors.red }[verdict];
  return [
    `${paint(VERDICTS[verdict])}  ${printable(command)}`,
    wrapText(`  ${printable(why)}`, look),
    ...findings.flatMap(({ threatens, severity, reason, part, rule }) => [
      wrapText(`  ${threatens} (${severity}): ${reason} ${rule}`, look)
        .replace(threatens, colors.bold(threatens))
        .replace(rule, colors.dim(rule)),
      `    in: ${printable(part)}`,
    ]),
    ...contained.map(({ threatens, reason, rule }) =>
      colors.dim(wrapText(`  held by the sandbox: ${threatens}: ${reason} ${rule}`, look)),
    ),
  ].join('\n');
}

/** Control characters could hide on a terminal what is being asked about. */
function printable(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
