// Foreign text on a terminal with a mark before every line, so that nothing in it can pass for what we say ourselves. Pure.

/** Before a line of the text, and before what goes on because the terminal is too narrow. */
const LINE = '│ ';
const MORE = '┆ ';
const NARROWEST = 10;

/** A long gap would push the rest out of sight. */
const LONGEST_GAP = 40;

/** The text whole, in rows of at most `columns` cells, each with a mark before it. */
export function framed(text: string, columns: number): string[] {
  const width = Math.max(NARROWEST, columns - LINE.length);
  return visible(text)
    .split('\n')
    .flatMap(line => rowsOf(line, width).map((row, at) => `${at === 0 ? LINE : MORE}${row}`));
}

/** Characters that control the terminal, change the direction or cannot be seen are written out. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(
      /[^\P{C}\n]|[\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]/gu,
      one => `<${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    )
    .replace(/\p{Zs}+/gu, gap => (gap.length > LONGEST_GAP ? `<${gap.length} spaces>` : gap));
}

function rowsOf(line: string, width: number): string[] {
  const rows: string[] = [];
  let [row, used] = ['', 0];
  for (const one of line) {
    const cells = mostCells(one);
    if (used + cells > width) {
      rows.push(row);
      [row, used] = ['', 0];
    }
    row += one;
    used += cells;
  }
  return [...rows, row];
}

/** Terminals disagree about the width of many characters; counted is the most that any takes, so that none breaks a row. */
function mostCells(one: string): number {
  return /^[\x20-\x7e\u00a0-\u02ff]$/.test(one) ? 1 : 2;
}
