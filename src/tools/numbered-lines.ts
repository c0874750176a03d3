// Lines with their numbers in the file, after redaction. A key of many lines becomes one mark, and what follows it keeps
// the numbers it has in the file. Pure.

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * `original` and `redacted` are the same lines before and after; the first one has the number `first`. What is not
 * redacted is the same in both, so that each such line is found again further down.
 */
export function numberedLines(
  original: readonly string[],
  redacted: readonly string[],
  first: number,
): readonly NumberedLine[] {
  let at = 0;
  return redacted.map(text => {
    const found = original.length === redacted.length ? -1 : sameLine(original, text, at);
    const index = found < 0 ? at : found;
    at = index + 1;
    return { number: first + index, text };
  });
}

/** A line that was changed is known by what stands beside its marks; one mark alone stands where the last line ended. */
function sameLine(original: readonly string[], text: string, from: number): number {
  if (original[from] === text) return from;
  const start = text.search(MARK);
  if (start < 0) return original.indexOf(text, from);
  const [before, after] = [text.slice(0, start), text.slice(text.lastIndexOf(']') + 1)];
  if (before + after === '') return -1;
  const end = Math.min(original.length, from + MOST_HIDDEN_LINES);
  for (let at = from; at < end; at++) {
    const line = original[at] ?? '';
    if (line.startsWith(before) && line.endsWith(after)) return at;
  }
  return -1;
}

/** How many lines one mark may stand for, but for withheld ones; farther on nothing is looked for. */
const MOST_HIDDEN_LINES = 500;

const MARK = /\[(?:redacted|withheld):/;

/** Those of the range; one mark for many lines counts for all of them. */
export function inRange(
  lines: readonly NumberedLine[],
  from: number,
  count: number,
): readonly NumberedLine[] {
  return lines.filter(({ number }, at) => {
    const next = lines[at + 1]?.number ?? number + 1;
    return number < from + count && (number >= from || next > from);
  });
}

/** As many as fit into that many bytes, but at least one. */
export function fitting(lines: readonly NumberedLine[], mostBytes: number): readonly NumberedLine[] {
  let size = 0;
  const over = lines.findIndex(line => {
    size += Buffer.byteLength(render(line)) + 1;
    return size > mostBytes;
  });
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

export function render({ number, text }: NumberedLine): string {
  return `${String(number).padStart(5)}\t${text}`;
}
