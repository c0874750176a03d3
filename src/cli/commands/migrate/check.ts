// hermes migrate check: what becomes of a home of the original Hermes.
import { describeProblem, type Problem } from '../../../config/problem.ts';
import { defineCommand, type Look } from '../../command.ts';
import { wrapText } from '../../table.ts';
import { type PlannedMigration, readMigration } from './plan.ts';

export interface MigrationReport {
  readonly home: string;
  readonly same: readonly string[];
  readonly translated: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
  readonly leftAlone: readonly string[];
  /** Files that `migrate apply` would write. */
  readonly rewrites: readonly string[];
}

export const migrateCheck = defineCommand({
  doc: 'Reads config.yaml and .env of the original Hermes (the Python program) and says for each setting whether it works as it is, is read in another form, or has no effect here and what to do instead. Changes nothing. Exits 1 when something would stop a start.',
  flags: {},
  args: [],
  examples: [
    ['migrate check', 'before the first start on an existing ~/.hermes'],
    ['migrate check --json', 'for programs'],
  ],
  run: async (_input, context) => reportOf(await readMigration(context)),
  render: renderReport,
  exitCode: ({ problems }) => (problems.length > 0 ? 1 : 0),
});

export function reportOf({ paths, changes, ...plan }: PlannedMigration): MigrationReport {
  const { same, translated, notes, warnings, problems, leftAlone } = plan;
  return {
    ...{ home: paths.home, same, translated, notes, warnings, problems, leftAlone },
    rewrites: changes.map(({ file }) => file),
  };
}

export function renderReport(report: MigrationReport, look: Look): string {
  const { home, same, translated, notes, warnings, problems, leftAlone, rewrites } = report;
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : ['', look.colors.bold(title), ...lines.map(line => wrapText(`  ${line}`, look))];
  const end =
    problems.length > 0
      ? 'Hermes does not start like this. Change these lines, then run `hermes migrate check` again.'
      : rewrites.length > 0
        ? 'Hermes starts with these files as they are. `hermes migrate apply` writes translated settings in their own form.'
        : 'Hermes starts with these files as they are. There is nothing to rewrite.';
  return [
    look.colors.bold(`Home: ${home}`),
    ...part('Works as it is', same.length === 0 ? [] : [same.join(', ')]),
    ...part('Translated', translated),
    ...part('Restricts nobody here', warnings),
    ...part('Notes', notes),
    ...part('Left alone', leftAlone.length === 0 ? [] : [leftAlone.join(', ')]),
    ...part('Stops a start', problems.map(describeProblem)),
    '',
    wrapText(end, look),
  ].join('\n');
}
