// The matrix: one row for each requirement, one column for each backend or platform, in words that fit a terminal.
import { requirements } from './requirements.ts';

export type Cell = 'ok' | 'FAIL' | 'not run' | 'n/a';

/** What one test came to. */
export interface CellResult {
  readonly column: string;
  readonly id: string;
  readonly cell: Cell;
}

/** A requirement has several tests: one that failed fails it, and one that was not run leaves it unproved. */
const WORST_FIRST: readonly Cell[] = ['FAIL', 'not run', 'ok', 'n/a'];

export interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly Cell[] }[];
}

/** What no test spoke of was not run. `ids`: the rows, absent = the requirements of backends. */
export function buildMatrix(
  results: readonly CellResult[],
  ids: Iterable<string> = requirements.keys(),
): Matrix {
  const columns = [...new Set(results.map(({ column }) => column))];
  const cellOf = (id: string, column: string): Cell => {
    const cells = results
      .filter(result => result.id === id && result.column === column)
      .map(({ cell }) => cell);
    return WORST_FIRST.find(cell => cells.includes(cell)) ?? 'not run';
  };
  return {
    columns,
    rows: [...ids].map(id => ({ id, cells: columns.map(column => cellOf(id, column)) })),
  };
}

export function isGreen({ rows }: Matrix): boolean {
  return rows.every(({ cells }) => cells.length > 0 && cells.every(cell => cell === 'ok' || cell === 'n/a'));
}

/** As text of at most 80 columns for up to four backends. */
export function formatMatrix({ columns, rows }: Matrix): string {
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  const widths = columns.map(name => Math.max(name.length, 'not run'.length));
  const line = (first: string, rest: readonly string[]): string =>
    [first.padEnd(idWidth), ...rest.map((text, at) => text.padEnd(widths[at] ?? 0))].join('  ').trimEnd();
  const counts = columns.map((_, at) => {
    const cells = rows.map(row => row.cells[at]);
    const proved = cells.filter(cell => cell === 'ok').length;
    return `${proved}/${cells.filter(cell => cell !== 'n/a').length}`;
  });
  return [
    line('requirement', columns),
    ...rows.map(({ id, cells }) => line(id, cells)),
    line('proved', counts),
  ].join('\n');
}
