// hermes explain: would this command be asked about in a messaging session, and why?
import { backendFacts } from '../../backends/index.generated.ts';
import { HermesError } from '../../base/errors.ts';
import { shellJoin } from '../../base/shell-quote.ts';
import type { HermesConfig } from '../../compose.ts';
import type { Decision } from '../../risk/decide.ts';
import type { Exposure } from '../../risk/exposure.ts';
import { resolveSandboxPolicy } from '../../sessions/policy.ts';
import type { PolicyWorld } from '../../sessions/policy-input.ts';
import { defineCommand, type Look } from '../command.ts';

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
    const exposure = await exposureFor(config);
    const policy = {
      mode: config.get('approvals.mode'),
      deny: config.get('approvals.deny'),
      allowlist: config.get('command_allowlist'),
    };
    const lines = flags.stdin
      ? (await context.readInput()).split(/\r?\n/).filter(line => line.trim() !== '')
      : [words.length === 1 ? (words[0] ?? '') : shellJoin(words)];
    const commands = lines.map(command => ({
      command,
      ...decide(command, analyse(command), exposure, policy),
    }));
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

/** Of a messaging session by the configuration. As long as `auto` is open, as on the first that it would try. */
async function exposureFor(config: HermesConfig): Promise<Exposure> {
  const { exposureOf, NO_EXPOSURE } = await import('../../risk/exposure.ts');
  const decideWith = (recorded: PolicyWorld['recorded']) =>
    resolveSandboxPolicy(config, { kind: 'messaging' }, { backends: backendFacts, recorded });
  let decision = decideWith(null);
  if (decision.kind === 'undecided') {
    const [name] = decision.among;
    if (name === undefined) return NO_EXPOSURE;
    decision = decideWith({ name, chosenAt: 0 });
  }
  if (decision.kind === 'refused') {
    throw new HermesError('CONFIG_INVALID', `${decision.reason} ${decision.fix}`);
  }
  if (decision.kind === 'undecided') return NO_EXPOSURE;
  const { policy } = decision;
  const facts = Object.entries(backendFacts).find(([name]) => name === policy.backend.value)?.[1];
  const key = facts && 'disposableSetting' in facts ? facts.disposableSetting : undefined;
  const isDisposable = config.entries().some(entry => entry.key === key && entry.value === true);
  return exposureOf(policy, { isDisposable });
}

const VERDICTS = { allow: 'allowed', ask: 'would be asked', deny: 'denied' } as const;

function renderOne({ command, verdict, why, findings, contained }: Explained, { colors }: Look): string {
  const paint = { allow: colors.green, ask: colors.yellow, deny: colors.red }[verdict];
  return [
    `${paint(VERDICTS[verdict])}  ${printable(command)}`,
    `  ${printable(why)}`,
    ...findings.flatMap(({ threatens, severity, reason, part, rule }) => [
      `  ${colors.bold(threatens)} (${severity}): ${reason} ${colors.dim(rule)}`,
      `    in: ${printable(part)}`,
    ]),
    ...contained.map(({ threatens, reason, rule }) =>
      colors.dim(`  held by the sandbox: ${threatens}: ${reason} ${rule}`),
    ),
  ].join('\n');
}

/** Control characters could hide on a terminal what is being asked about. */
function printable(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
