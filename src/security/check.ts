// What a check of the audit is: data, and a pure function that finds something in the facts or does not.
import type { AuditFacts } from './facts.ts';

/** `critical` and `high` make the audit fail. */
export type Severity = 'critical' | 'high' | 'medium' | 'low';

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

export interface Check {
  /** Area and name, such as `sandbox.no-isolation`; never changed once released, because people ignore checks by it. */
  readonly id: string;
  readonly severity: Severity;
  /** What is looked for, in a few words. */
  readonly title: string;
  /** What could happen. */
  readonly why: string;
  /** The setting or the command that mends it. */
  readonly fix: string;
  /** A line for each thing that was found; empty = all is well. */
  find(facts: AuditFacts): readonly string[];
}
