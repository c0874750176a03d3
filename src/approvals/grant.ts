// What "for this session" covers: the same rule on the same kind of target, and nothing else of its family. Pure.
import type { Finding } from '../risk/finding.ts';

export interface Grant {
  readonly rule: string;
  readonly target: string;
}

export function grantOf(finding: Finding): Grant {
  return { rule: finding.rule, target: targetOf(finding) };
}

export function isGranted(finding: Finding, grants: readonly Grant[]): boolean {
  const { rule, target } = grantOf(finding);
  return grants.some(grant => grant.rule === rule && grant.target === target);
}

/** Where it is about files, the places they are in; else the program that is named. */
function targetOf({ paths, part }: Finding): string {
  if (paths && paths.length > 0) return [...new Set(paths.map(placeOf))].toSorted().join(' ');
  return part.trim().split(/\s+/)[0] ?? '';
}

/** The folder that a path is in; two files beside each other are the same kind of target, a folder above is another. */
function placeOf(path: string): string {
  return path.replace(/\/[^/]*$/, '') || '/';
}
