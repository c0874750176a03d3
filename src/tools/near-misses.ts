// Where a text that does not occur in a file may have been meant: the same but for white space, or lines that look much
// like its first one. Pure, and bounded for any file.

export interface NearMiss {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly why: 'white space' | 'similar';
}

const MOST = 3;
const MOST_LINES = 20_000;
const LONGEST_LINE = 400;
/** Share of letter pairs in common; below that two lines have nothing to do with each other. */
const ALIKE = 0.6;

export function nearMisses(file: string, wanted: string): readonly NearMiss[] {
  const lines = file.split('\n', MOST_LINES);
  const sought = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  const spaced = sameButForSpace(lines, sought);
  const found = spaced.length > 0 ? spaced : similar(lines, sought);
  return found.slice(0, MOST).map(({ at, why }) => ({
    line: at + 1,
    text: lines.slice(at, at + sought.length).join('\n'),
    why,
  }));
}

interface Place {
  readonly at: number;
  readonly why: NearMiss['why'];
}

function sameButForSpace(lines: readonly string[], sought: readonly string[]): Place[] {
  const plain = (line: string): string => line.replace(/\s+/g, '');
  const wanted = sought.map(plain);
  const have = lines.map(plain);
  return have.flatMap((_, at) =>
    wanted.every((line, offset) => have[at + offset] === line) ? [{ at, why: 'white space' as const }] : [],
  );
}

/** By the first line of the text that says something, the best first. */
function similar(lines: readonly string[], sought: readonly string[]): Place[] {
  const offset = Math.max(
    0,
    sought.findIndex(line => line.trim().length > 2),
  );
  const wanted = pairsOf(sought[offset] ?? '');
  if (wanted.size === 0) return [];
  return lines
    .map((line, at) => ({ at: Math.max(0, at - offset), score: likeness(wanted, pairsOf(line)) }))
    .filter(({ score }) => score >= ALIKE)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .map(({ at }) => ({ at, why: 'similar' as const }));
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, LONGEST_LINE).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return other.size === 0 ? 0 : (2 * one.intersection(other).size) / (one.size + other.size);
}
