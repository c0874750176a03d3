// Reads `~/.hermes/.env`. Values are what Node's own parser makes of them; this file adds the line of each one
// and notices lines that say nothing.
import { parseEnv } from 'node:util';
import type { Problem } from './problem.ts';

export interface DotenvValue {
  readonly value: string;
  readonly line: number;
  /** The name in the file, where the value is read under another one. */
  readonly writtenAs?: string;
}

export interface DotenvFile {
  readonly values: ReadonlyMap<string, DotenvValue>;
  readonly problems: readonly Problem[];
}

const ASSIGNMENT = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(["'`])?/;

export function parseDotenv(text: string, file: string): DotenvFile {
  const parsed = parseEnv(text);
  const lines = text.split(/\r?\n/);
  const values = new Map<string, DotenvValue>();
  const problems: Problem[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const where = index + 1;
    if (/^\s*(#|$)/.test(line)) continue;
    const match = ASSIGNMENT.exec(line);
    const name = match?.[1];
    const value = name === undefined ? undefined : parsed[name];
    if (match === null || name === undefined || value === undefined) {
      problems.push({
        where: `${file}:${where}`,
        message: 'this line is no assignment',
        accepted: 'NAME=value',
      });
      continue;
    }
    values.set(name, { value, line: where });
    if (!match[2]) continue;
    const last = lastLineOfQuoted(lines, index, match[0].length, match[2]);
    if (last === undefined) {
      problems.push({
        where: `${file}:${where}`,
        key: name,
        message: `the quote ${match[2]} is never closed`,
      });
    } else index = last;
  }
  return { values, problems };
}

/** A quoted value may go over several lines; undefined when no line closes it. */
function lastLineOfQuoted(
  lines: readonly string[],
  first: number,
  from: number,
  quote: string,
): number | undefined {
  for (let index = first; index < lines.length; index++) {
    if ((lines[index] ?? '').includes(quote, index === first ? from : 0)) return index;
  }
  return undefined;
}
