// Runs the catalogue over the facts. Pure: the same facts, the same answer.
import { allChecks } from './all-checks.ts';
import { SEVERITIES, type Severity } from './check.ts';
import type { AuditFacts } from './facts.ts';

export interface AuditFinding {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  readonly found: readonly string[];
}

export interface Ignored {
  readonly id: string;
  readonly reason: string;
}

export interface AuditReport {
  /** The worst first. */
  readonly findings: readonly AuditFinding[];
  /** What was found and is accepted. */
  readonly ignored: readonly (AuditFinding & { readonly reason: string })[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many checks there are. */
  readonly checks: number;
  /** What is worth a word although it is no finding. */
  readonly notes: readonly string[];
}

export function auditInstallation(
  facts: AuditFacts,
  ignore: readonly Ignored[],
  notes: readonly string[] = [],
): AuditReport {
  const all = allChecks.flatMap(({ find, ...about }): AuditFinding[] => {
    const found = find(facts);
    return found.length === 0 ? [] : [{ ...about, found }];
  });
  const reasonFor = (id: string): string | undefined => ignore.find(each => each.id === id)?.reason;
  const findings = all
    .filter(({ id }) => reasonFor(id) === undefined)
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const ignored = all.flatMap(finding => {
    const reason = reasonFor(finding.id);
    return reason === undefined ? [] : [{ ...finding, reason }];
  });
  const count = (severity: Severity): number => findings.filter(each => each.severity === severity).length;
  return {
    findings,
    ignored,
    counts: {
      critical: count('critical'),
      high: count('high'),
      medium: count('medium'),
      low: count('low'),
    },
    checks: allChecks.length,
    notes: [...notes, ...uselessIgnores(ignore, all)],
  };
}

/** One that is ignored for nothing would hide the next finding of that kind. */
function uselessIgnores(ignore: readonly Ignored[], all: readonly AuditFinding[]): string[] {
  return ignore.flatMap(({ id }) => {
    if (!allChecks.some(check => check.id === id))
      return [`security.audit_ignore names ${id}, and there is no such check.`];
    if (all.some(finding => finding.id === id)) return [];
    return [`security.audit_ignore names ${id}, and nothing of that kind is found any more.`];
  });
}
