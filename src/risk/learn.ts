// What "always" adds to the list of allowed commands. Pure.
import type { Finding } from './finding.ts';
import { exactEntry, shapeEntry } from './patterns.ts';

/**
 * Where only unknown programs were asked about, each with its flags on files of the work; else the exact command. What is
 * learned of a program never covers other findings, so that a new target is asked about again.
 */
export function entriesFor(command: string, findings: readonly Finding[]): readonly string[] {
  const shapes = findings.flatMap(({ shape }) => (shape === undefined ? [] : [shapeEntry(shape)]));
  return findings.length > 0 && shapes.length === findings.length
    ? [...new Set(shapes)]
    : [exactEntry(command)];
}
