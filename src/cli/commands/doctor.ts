// hermes doctor: whether everything that the installation needs is there and works, and what to do where it does not.
import { configPaths } from '../../config/load.ts';
import type { Examination } from '../../containment/examine.ts';
import { type CommandContext, defineCommand, type Look } from '../command.ts';
import { renderTable, wrapText } from '../table.ts';
import type { AreaName, AreaReport, Found } from './doctor/area.ts';
import type { CheckedConfig } from './doctor/settings.ts';

interface Finding extends Omit<Found, 'mend'> {
  readonly number: number;
  readonly area: AreaName;
  /** `open`: a person has to. `mended`: `--fix` has done it. `can be mended`: `--fix` would. */
  readonly state: 'open' | 'mended' | 'can be mended';
}

interface AreaSummary {
  readonly area: AreaName;
  readonly state: 'ok' | 'warning' | 'error' | 'not checked';
  readonly said: string;
}

interface Diagnosis {
  readonly areas: readonly AreaSummary[];
  readonly backends: readonly Examination[];
  readonly findings: readonly Finding[];
}

const WIDEST = 80;

export const doctor = defineCommand({
  doc: 'Checks everything: the system, the configuration, who can get at the files, the database, disk and clock, each configured backend by a real sandbox that is made, runs a command and is removed, programs with known holes, the model by a real call, and the accounts of the platforms. Exits 1 when something does not work; what is only a warning leaves it at 0. `hermes security audit` asks whether it is safe.',
  flags: {
    fix: { type: 'switch', doc: 'mend what is safe to mend: modes of files, missing folders' },
    all: { type: 'switch', doc: 'check every backend, not only the configured ones' },
  },
  args: [],
  examples: [
    ['doctor', 'is everything all right?'],
    ['doctor --fix', 'mend what can be mended'],
    ['doctor --all', 'which backends would work here?'],
    ['doctor --json', 'for programs'],
  ],
  async run({ flags }, context): Promise<Diagnosis> {
    const late = { isAny: false };
    const onLate = (): void => {
      late.isAny = true;
    };
    const which = flags.all ? 'all' : 'configured';
    const { reports, backends } = await examineAll(context, { which, onLate });
    const findings: Finding[] = [];
    for (const { area, found } of reports) {
      for (const { mend, ...about } of found) {
        if (flags.fix) await mend?.();
        const state = mend === undefined ? 'open' : flags.fix ? 'mended' : 'can be mended';
        findings.push({ number: findings.length + 1, area, ...about, state });
      }
    }
    // What hangs would keep the program from ending.
    if (late.isAny) context.end();
    return { areas: reports.map(report => summaryOf(report, findings)), backends, findings };
  },
  render: renderDiagnosis,
  exitCode: ({ findings }) => (findings.some(isOpenError) ? 1 : 0),
});

async function examineAll(
  context: CommandContext,
  { which, onLate }: { readonly which: 'all' | 'configured'; readonly onLate: () => void },
): Promise<{ reports: readonly AreaReport[]; backends: readonly Examination[] }> {
  const [{ skipped }, { boundedArea, contained }, machine, homeFiles, { checkConfig }] = await Promise.all([
    import('./doctor/area.ts'),
    import('./doctor/bounded-area.ts'),
    import('./doctor/machine.ts'),
    import('./doctor/home.ts'),
    import('./doctor/settings.ts'),
  ]);
  const { home } = configPaths(context.environment);
  const look = (area: AreaName, work: (signal: AbortSignal) => Promise<AreaReport>) =>
    boundedArea(area, context, work, onLate);
  const usable: { config?: CheckedConfig['config'] } = {};
  const base = [
    await look('environment', machine.checkEnvironment),
    await look('config', async () => {
      const checked = await checkConfig(context);
      usable.config = checked.config;
      return checked.report;
    }),
    await look('home', () => homeFiles.checkHome(home)),
    await look('database', () => homeFiles.checkDatabase(home)),
    await look('disk', () => machine.checkDisk(home)),
    await look('clock', () => machine.checkClock(home, context.clock)),
  ];
  const { checkVersions } = await import('./doctor/versions.ts');
  const { config } = usable;
  if (!config) {
    const later = (['backends', 'model', 'platforms'] as const).map(area =>
      skipped(area, 'mend the configuration first'),
    );
    return { reports: [...base, checkVersions([]), ...later], backends: [] };
  }
  const [{ checkBackends }, { checkModel, checkPlatforms }] = await Promise.all([
    import('./doctor/backends.ts'),
    import('./doctor/outside.ts'),
  ]);
  let backends: readonly Examination[] = [];
  const ofBackends = await contained('backends', context, async () => {
    const checked = await checkBackends(config, context, { which, onLate });
    backends = checked.backends;
    return checked.report;
  });
  const outside = [
    await look('model', signal => checkModel(config, context, signal)),
    await contained('platforms', context, () => checkPlatforms(config, context, onLate)),
  ];
  return { reports: [...base, ofBackends, checkVersions(backends), ...outside], backends };
}

function summaryOf({ area, said, isSkipped }: AreaReport, all: readonly Finding[]): AreaSummary {
  const findings = all.filter(each => each.area === area && each.state !== 'mended');
  const worst = findings.some(isOpenError) ? 'error' : findings.length > 0 ? 'warning' : 'ok';
  return { area, said, state: isSkipped ? 'not checked' : worst };
}

function isOpenError({ severity, state }: Finding): boolean {
  return severity === 'error' && state !== 'mended';
}

function renderDiagnosis({ areas, backends, findings }: Diagnosis, given: Look): string {
  const look = { ...given, columns: Math.min(given.columns, WIDEST) };
  const { colors } = look;
  const paints = { ok: colors.green, warning: colors.yellow, error: colors.red, 'not checked': colors.dim };
  const rows = areas.map(({ area, state, said }) => [area, paints[state](state), said]);
  const list = findings.flatMap(finding => findingLines(finding, look));
  const canMend = findings.some(({ state }) => state === 'can be mended');
  return [
    renderTable(['area', 'state', 'seen'], rows, look),
    ...(backends.length === 0 ? [] : ['', backendTable(backends, look)]),
    '',
    ...(findings.length === 0 ? ['Nothing was found.'] : list),
    ...(canMend ? ['', '`hermes doctor --fix` mends what it can.'] : []),
  ].join('\n');
}

function findingLines({ number, subject, severity, message, fix, state }: Finding, look: Look): string[] {
  const { colors } = look;
  const mark = `${number}. `;
  const indent = ' '.repeat(mark.length);
  const isWarning = severity === 'warning';
  const what = wrapText(`${indent}${subject}: ${isWarning ? 'warning: ' : ''}${message}`, look);
  const head = mark + what.slice(mark.length);
  return [
    isWarning ? head.replace(': warning: ', `: ${colors.yellow('warning:')} `) : head,
    state === 'mended'
      ? `${indent}${colors.green('mended')}`
      : wrapText(`${indent}fix: ${fix}`, look).replace('fix:', colors.bold('fix:')),
  ];
}

function backendTable(backends: readonly Examination[], look: Look): string {
  const rows = backends.map(({ backend, version, isolation, problems, limits, readyMs }) => [
    version === undefined ? backend : `${backend} ${version}`,
    problems.every(({ severity }) => severity === 'warning')
      ? look.colors.green('works')
      : look.colors.red('does not work'),
    isolation,
    readyMs === undefined ? '' : `${readyMs} ms`,
    limits === undefined ? '' : limitsText(limits),
  ]);
  return renderTable(['backend', 'state', 'isolation', 'ready', 'limits'], rows, look);
}

/** `enforced: cpus, memory; soft: disk`. */
function limitsText(limits: NonNullable<Examination['limits']>): string {
  const names = ['cpus', 'memory', 'disk', 'processes'] as const;
  const kinds = ['enforced', 'soft', 'none'] as const;
  return kinds
    .map(kind => [kind, names.filter(name => limits[name] === kind).join(', ')])
    .filter(([, held]) => held !== '')
    .map(([kind, held]) => `${kind}: ${held}`)
    .join('; ');
}
