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

/**
 * Where it is about files, the places they are in; where addresses are named, those; else the program and what it is told
 * to do. What nobody can foresee is granted word for word.
 */
function targetOf({ rule, threatens, paths, part }: Finding): string {
  if (paths && paths.length > 0) return [...new Set(paths.map(placeOf))].toSorted().join(' ');
  if (threatens === 'unresolved' || rule.endsWith('-code')) {
    const hosts = hostsOf(part);
    return hosts.length > 0 && threatens !== 'unresolved' ? hosts.join(' ') : part;
  }
  const words = part.trim().split(/\s+/);
  const verbs = words.filter(word => !word.startsWith('-')).slice(0, WORDS);
  return [...verbs, ...hostsOf(part)].join(' ');
}

/** A program, and the two words that say what it does: `kubectl delete ns`. */
const WORDS = 3;

function hostsOf(text: string): readonly string[] {
  const found = text.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:'"]+)/gi);
  return [...new Set([...found].map(([, host = '']) => host.toLowerCase()))].toSorted();
}

/** The folder that a path is in; two files beside each other are the same kind of target, a folder above is another. */
function placeOf(path: string): string {
  return path.replace(/\/[^/]*$/, '') || '/';
}
