// The decision table: from what a command could harm and what its sandbox could reach, to allow, ask or deny. Pure.
import { describeExposure, type Exposure, threatHere } from './exposure.ts';
import type { Analysis, Finding } from './finding.ts';
import { isAllowedBy, isDeniedBy, isShape, shapeEntry } from './patterns.ts';

export interface Policy {
  /** `smart` decides as `manual` does; what a model may clear is a matter of who is asked. */
  readonly mode: 'manual' | 'smart' | 'off';
  /** Never, whatever the mode and whatever the allowlist says. */
  readonly deny: readonly string[];
  readonly allowlist: readonly string[];
  /** Where the gateway itself listens; commands that go there are asked about. */
  readonly ports?: readonly number[];
}

export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** Those that matter here, each with what it threatens here. */
  readonly findings: readonly Finding[];
  /** Those that the sandbox holds. */
  readonly contained: readonly Finding[];
  /** In a sentence. */
  readonly why: string;
  /** The entry of a list that decided; for the audit. */
  readonly entry?: string;
}

/** What runs can be told here; only whether it is harmless cannot. */
const NOT_KNOWN = new Set([
  'unresolved.unfamiliar',
  'unresolved.inline-code',
  'unresolved.which-file',
  'unresolved.made-and-run',
]);

export function decide(command: string, analysis: Analysis, exposure: Exposure, policy: Policy): Decision {
  const here = analysis.findings.flatMap(finding => {
    const threatens = threatHere(finding, exposure);
    return threatens === undefined ? [] : [{ ...finding, threatens }];
  });
  // What was learned makes a program known; it says nothing about anything else that was found.
  const learned = new Set(policy.allowlist.filter(isShape));
  const isLearned = ({ shape }: Finding): boolean => shape !== undefined && learned.has(shapeEntry(shape));
  const findings = here.filter(finding => !isLearned(finding));
  const contained = analysis.findings.filter(finding => threatHere(finding, exposure) === undefined);
  const answer = (verdict: Decision['verdict'], why: string, entry?: string): Decision => ({
    verdict,
    findings,
    contained,
    why,
    ...(entry === undefined ? {} : { entry }),
  });

  const denied = policy.deny.find(entry =>
    [command, ...analysis.commands].some(each => isDeniedBy(entry, each)),
  );
  if (denied !== undefined) return answer('deny', `approvals.deny forbids it: ${denied}`, denied);
  const isUnresolved = analysis.findings.some(
    ({ threatens, rule }) => threatens === 'unresolved' && !NOT_KNOWN.has(rule),
  );
  if (policy.mode === 'off' && policy.deny.length > 0 && isUnresolved) {
    return answer(
      'deny',
      'It cannot be told what would run, so that nobody knows whether approvals.deny forbids it.',
    );
  }
  if (analysis.findings.length === 0) return answer('allow', 'Nothing in it could do harm.');
  const shape = here.find(isLearned)?.shape;
  if (findings.length === 0 && shape !== undefined)
    return answer('allow', `command_allowlist has learned it: ${shape}`, shapeEntry(shape));
  if (findings.length === 0)
    return answer('allow', `The sandbox holds what it could do. ${describeExposure(exposure)}`);
  const allowed = policy.allowlist.find(entry => isAllowedBy(entry, command));
  if (allowed !== undefined) return answer('allow', `command_allowlist permits it: ${allowed}`, allowed);
  if (policy.mode === 'off') return answer('allow', 'Nobody is asked: approvals.mode is off.');
  return answer('ask', describeExposure(exposure));
}
