// Tables for people: columns as wide as needed, the widest one wrapped so that a line fits the terminal.
import { stripVTControlCharacters } from 'node:util';
import type { Look } from './command.ts';

const GAP = '  ';
/** How narrow a column is made: first this, and less only where the line would still not fit. */
const NARROWEST = [12, 6];

export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  look: Look,
): string {
  const widths = fitWidths(head, rows, look.columns);
  const line = (cells: readonly string[]): string => renderRow(cells, widths);
  return [look.colors.bold(line(head)), ...rows.map(line)].join('\n');
}

/** Narrows the widest column, again and again, until the line fits. The first column, the name, goes last. */
function fitWidths(head: readonly string[], rows: readonly (readonly string[])[], columns: number): number[] {
  const widths = head.map((cell, at) =>
    Math.max(visibleLength(cell), ...rows.map(row => visibleLength(row[at] ?? ''))),
  );
  const room = columns - GAP.length * (head.length - 1);
  for (const narrowest of NARROWEST) {
    while (sum(widths) > room) {
      const others = widths.slice(1).map((width, at) => ({ width, at: at + 1 }));
      const widest = others.reduce((best, one) => (one.width > best.width ? one : best), {
        width: narrowest,
        at: 0,
      });
      if ((widths[widest.at] ?? 0) <= narrowest) break;
      widths[widest.at] = (widths[widest.at] ?? 0) - 1;
    }
  }
  return widths;
}

function renderRow(cells: readonly string[], widths: readonly number[]): string {
  const wrapped = cells.map((cell, at) => wrap(cell, widths[at] ?? visibleLength(cell)));
  const height = Math.max(...wrapped.map(lines => lines.length));
  const lines = Array.from({ length: height }, (_, row) =>
    wrapped
      .map((cell, at) => pad(cell[row] ?? '', widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Prose for people, as wide as the terminal; further lines are indented as the first one is. */
export function wrapText(text: string, { columns }: Look): string {
  const [indent = ''] = /^ */.exec(text) ?? [];
  return wrap(text.trimStart(), columns - indent.length)
    .map(line => indent + line)
    .join('\n');
}

/** The same line by line. */
export function wrapLines(text: string, look: Look): string {
  return text
    .split('\n')
    .map(line => wrapText(line, look))
    .join('\n');
}

/** Cuts at spaces, not in what stands in backticks if it can. Colours around a whole cell are put around each of its lines. */
function wrap(cell: string, width: number): string[] {
  const plain = stripVTControlCharacters(cell);
  if (plain.length <= width) return [cell];
  const [before = '', after = ''] = cell === plain ? [] : cell.split(plain);
  const lines: string[] = [];
  for (let rest = plain; rest !== ''; ) {
    const end = rest.length > width ? whereToCut(rest, width) : width;
    lines.push(before + rest.slice(0, end) + after);
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

function whereToCut(text: string, width: number): number {
  const spaces = [...text.slice(0, width + 1).matchAll(/ /g)].map(({ index }) => index).filter(at => at > 0);
  const outside = spaces.filter(at => text.slice(0, at).split('`').length % 2 === 1);
  // What is to be copied stays whole, unless that would leave half of the line empty.
  const best = outside.at(-1) ?? 0;
  return best >= width / 2 ? best : (spaces.at(-1) ?? width);
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - visibleLength(cell)));
}

function visibleLength(cell: string): number {
  return stripVTControlCharacters(cell).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
