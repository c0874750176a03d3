// hermes doctor: whether the configured backends really work, and what to do where they do not.
import type { Problem } from '../../backends/backend.ts';
import { isHermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import type { Examination } from '../../containment/examine.ts';
import { type CommandContext, defineCommand, type Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { messagingSpec } from './messaging-spec.ts';

interface Finding extends Problem {
  readonly number: number;
  readonly backend: string;
}

interface Diagnosis {
  readonly backends: readonly Examination[];
  readonly findings: readonly Finding[];
}

export const doctor = defineCommand({
  doc: 'Checks each configured backend: what stands in its way, then a real sandbox that is made, runs a command and is removed, and which limits hold in it. Exits 1 when anything was found.',
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
  exitCode: ({ findings }) => (findings.length === 0 ? 0 : 1),
});

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
    return await examineBackend({
      backend,
      spec: messagingSpec(config, backend.capabilities),
      clock,
      signal,
    });
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { backend: name, isolation: 'none', problems: [asProblem(error)] };
  }
}

function renderDiagnosis({ backends, findings }: Diagnosis, look: Look): string {
  const { colors } = look;
  const rows = backends.map(({ backend, isolation, problems, limits, readyMs }) => [
    backend,
    problems.length === 0 ? colors.green('works') : colors.red('does not work'),
    isolation,
    readyMs === undefined ? '' : `${readyMs} ms`,
    ...(limits === undefined
      ? ['', '', '', '']
      : [limits.cpus, limits.memory, limits.disk, limits.processes]),
  ]);
  const head = ['backend', 'state', 'isolation', 'ready', 'cpus', 'memory', 'disk', 'processes'];
  const list = findings.map(
    ({ number, backend, message, fix }) =>
      `${number}. ${backend}: ${message}\n   ${colors.bold('fix:')} ${fix}`,
  );
  const end = findings.length === 0 ? ['Nothing was found.'] : list;
  return [renderTable(head, rows, look), '', ...end].join('\n');
}
