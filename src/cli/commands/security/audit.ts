// hermes security audit: what is dangerous about this installation, and the setting that mends it.
import type { AuditFinding, AuditReport } from '../../../security/audit.ts';
import type { Severity } from '../../../security/check.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { withState } from '../installation.ts';

const WIDEST = 80;

export const securityAudit = defineCommand({
  doc: 'Looks for what is dangerous about this installation: where chats run, who may speak, what is asked, what lies open, which programs are old. Changes nothing and makes no sandbox. Exits 1 when something critical or high is found. docs/security/audit.md has every check.',
  flags: {},
  args: [],
  examples: [
    ['security audit', 'what should be mended?'],
    ['security audit --json', 'for programs, with the reason of each check'],
    ['security audit --set gateway.sandbox_network=open', 'what if?'],
  ],
  run: (_input, context) =>
    withState(context, async ({ config: written, world, gateway }): Promise<AuditReport> => {
      const [{ auditInstallation }, { gatherFacts }, { configInForce }] = await Promise.all([
        import('../../../security/audit.ts'),
        import('./facts.ts'),
        import('./config-in-force.ts'),
      ]);
      const config = gateway === 'running' ? await configInForce(written, context) : written;
      const known = { config, store: world?.store, gateway: gateway ?? 'none' };
      const { facts, notes } = await gatherFacts(known, context);
      return auditInstallation(facts, config.get('security.audit_ignore'), notes);
    }),
  render: renderReport,
  exitCode: ({ counts }) => (counts.critical + counts.high > 0 ? 1 : 0),
});

function renderReport(report: AuditReport, given: Look): string {
  const look = { ...given, columns: Math.min(given.columns, WIDEST) };
  const { findings, ignored, notes } = report;
  const rows = findings.flatMap(finding => rowsOf(finding, look));
  const table = renderTable(['severity', 'check', 'found'], rows, look);
  const accepted = ignored.map(({ id, reason }) => wrapText(`Ignored: ${id} (${reason})`, look));
  return [
    ...(findings.length === 0 ? [] : [table, '']),
    ...accepted,
    ...notes.map(text => wrapText(`Note: ${text}`, look)),
    wrapText(summary(report), look),
  ].join('\n');
}

function rowsOf({ id, severity, title, found, fix }: AuditFinding, look: Look): string[][] {
  return [
    [paint(severity, look), id, title],
    ...found.map(text => ['', '', `- ${text}`]),
    ['', '', look.colors.bold(`fix: ${fix}`)],
  ];
}

function paint(severity: Severity, { colors }: Look): string {
  if (severity === 'low') return severity;
  return severity === 'medium' ? colors.yellow(severity) : colors.red(severity);
}

function summary({ checks, counts, ignored }: AuditReport): string {
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`);
  const found = said.length === 0 ? 'nothing was found' : said.join(', ');
  const accepted = ignored.length === 0 ? '' : `, ${ignored.length} ignored`;
  return `${checks} checks: ${found}${accepted}.`;
}
