// hermes doctor: whether the configured backends really work, and what to do where they do not.
import type { Backend, Problem, SandboxSpec } from '../../backends/backend.ts';
import { isHermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import type { Examination } from '../../containment/examine.ts';
import { type CommandContext, defineCommand, type Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { chosenPolicy } from './chosen-policy.ts';
import { policySpec } from './policy-spec.ts';

interface Finding extends Problem {
  readonly number: number;
  readonly backend: string;
}

interface Diagnosis {
  readonly backends: readonly Examination[];
  readonly findings: readonly Finding[];
}

export const doctor = defineCommand({
  doc: 'Checks each configured backend: what stands in its way, then a real sandbox that is made, runs a command and is removed, and which limits hold in it. Exits 1 when a backend does not work; what is only a warning leaves it at 0.',
  flags: { all: { type: 'switch', doc: 'check every backend, not only the configured ones' } },
  args: [],
  examples: [
    ['doctor', 'the configured backends'],
    ['doctor --all', 'which backends would work here?'],
    ['doctor --json', 'for programs'],
  ],
  async run({ flags }, context): Promise<Diagnosis> {
    const config = await context.config();
    const { driverNames } = await import('../../compose.ts');
    const wanted = configured(config);
    const names = flags.all || wanted.includes('auto') ? driverNames : wanted;
    const backends: Examination[] = [];
    for (const name of names) {
      context.note(`checking ${name}`);
      backends.push(await examine(name, config, context));
    }
    const findings = backends.flatMap(({ backend, problems }) =>
      problems.map(problem => ({ backend, ...problem })),
    );
    return { backends, findings: findings.map((finding, at) => ({ number: at + 1, ...finding })) };
  },
  render: renderDiagnosis,
  exitCode: ({ findings }) => (findings.every(isWarning) ? 0 : 1),
});

function isWarning({ severity }: Problem): boolean {
  return severity === 'warning';
}

/** Each once. Nothing chosen = what the CLI itself would use. */
function configured(config: HermesConfig): readonly string[] {
  const chosen = [config.get('gateway.terminal_backend'), config.get('terminal.backend')];
  const names = chosen.filter(name => name !== undefined);
  return names.length === 0 ? ['local'] : [...new Set(names)];
}

async function examine(name: string, config: HermesConfig, context: CommandContext): Promise<Examination> {
  const [{ createBackend }, { asProblem, examineBackend }] = await Promise.all([
    import('../../compose.ts'),
    import('../../containment/examine.ts'),
  ]);
  try {
    const backend = await createBackend(name, config, {
      environment: context.environment,
      progress: context.note,
    });
    const { clock, signal } = context;
    const spec = await trialSpec(backend, config, context);
    return await examineBackend({ backend, spec, clock, signal });
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { backend: name, isolation: 'none', problems: [asProblem(error)] };
  }
}

/** As messaging sessions get it; one that serves the CLI only need not hold what those are promised. */
async function trialSpec(
  { name, capabilities }: Backend,
  config: HermesConfig,
  context: CommandContext,
): Promise<Partial<SandboxSpec>> {
  const told = { flag: 'hermes doctor', text: name };
  const messaging = await context.config({ 'gateway.terminal_backend': told });
  try {
    return policySpec(await chosenPolicy(messaging, 'messaging', context), messaging, capabilities);
  } catch (error) {
    const serves = config.get('gateway.terminal_backend') ?? config.get('terminal.backend');
    if (serves === name || !isHermesError(error)) throw error;
    const cli = await context.config({ 'terminal.backend': told });
    return policySpec(await chosenPolicy(cli, 'cli', context), cli, capabilities);
  }
}

function renderDiagnosis({ backends, findings }: Diagnosis, look: Look): string {
  const { colors } = look;
  const rows = backends.map(({ backend, version, isolation, problems, limits, readyMs }) => [
    version === undefined ? backend : `${backend} ${version}`,
    problems.every(isWarning) ? colors.green('works') : colors.red('does not work'),
    isolation,
    readyMs === undefined ? '' : `${readyMs} ms`,
    ...(limits === undefined
      ? ['', '', '', '']
      : [limits.cpus, limits.memory, limits.disk, limits.processes]),
  ]);
  const head = ['backend', 'state', 'isolation', 'ready', 'cpus', 'memory', 'disk', 'processes'];
  const list = findings.map(finding => {
    const { number, backend, message, fix } = finding;
    const mark = isWarning(finding) ? colors.yellow('warning: ') : '';
    return `${number}. ${backend}: ${mark}${message}\n   ${colors.bold('fix:')} ${fix}`;
  });
  const end = findings.length === 0 ? ['Nothing was found.'] : list;
  return [renderTable(head, rows, look), '', ...end].join('\n');
}
