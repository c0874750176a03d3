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

/** The same with its columns in that order. */
export function inOrder({ columns, rows }: Matrix, names: readonly string[]): Matrix {
  const order = names.map(name => columns.indexOf(name)).filter(at => at >= 0);
  const arranged = <T>(list: readonly T[]): T[] => order.flatMap(at => list.slice(at, at + 1));
  return { columns: arranged(columns), rows: rows.map(({ id, cells }) => ({ id, cells: arranged(cells) })) };
}

export function isGreen({ rows }: Matrix): boolean {
  return rows.every(({ cells }) => cells.length > 0 && cells.every(cell => cell === 'ok' || cell === 'n/a'));
}

/** The cells of a conformance page, by column and id. */
export function pageCells(page: string): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  let columns: readonly string[] = [];
  for (const line of page.split('\n')) {
    const [first = '', , , ...rest] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim());
    if (first === 'id') columns = rest;
    const id = /^`(.+)`$/.exec(first)?.[1];
    if (id !== undefined)
      for (const [at, column] of columns.entries()) cells.set(keyOf(column, id), rest[at] ?? '');
  }
  return cells;
}

const keyOf = (column: string, id: string): string => `${column} ${id}`;

/**
 * Where a page says otherwise than a run. What was not run says nothing, what failed fails by itself, and columns of the
 * services themselves (`HERMES_TEST_LIVE`) are on no page.
 */
export function differences(page: ReadonlyMap<string, string>, { columns, rows }: Matrix): readonly string[] {
  return rows.flatMap(({ id, cells }) =>
    columns.flatMap((column, at) => {
      if (column.endsWith('(live)')) return [];
      const [shown, said] = [cells[at], page.get(keyOf(column, id)) ?? 'nothing'];
      const isSaid = shown === said || shown === 'not run' || shown === 'FAIL';
      return isSaid ? [] : [`${id} on ${column} says ${said}, this run showed ${shown}`];
    }),
  );
}

/** Characters of a line. */
const WIDEST = 80;
const GAP = '  ';

/** As text of at most 80 characters a line; what does not fit beside the others stands below them. */
export function formatMatrix(matrix: Matrix): string {
  const idWidth = Math.max(...matrix.rows.map(({ id }) => id.length));
  const groups: number[][] = [];
  let used = WIDEST;
  for (const [at, name] of matrix.columns.entries()) {
    const width = GAP.length + widthOf(name);
    if (used + width > WIDEST) groups.push([]);
    used = (used + width > WIDEST ? idWidth : used) + width;
    groups.at(-1)?.push(at);
  }
  return groups.map(group => formatColumns(matrix, group, idWidth)).join('\n\n');
}

function widthOf(name: string): number {
  return Math.max(name.length, 'not run'.length);
}

function formatColumns({ columns, rows }: Matrix, group: readonly number[], idWidth: number): string {
  const line = (first: string, textAt: (at: number) => string): string =>
    [first.padEnd(idWidth), ...group.map(at => textAt(at).padEnd(widthOf(columns[at] ?? '')))]
      .join(GAP)
      .trimEnd();
  const proved = (at: number): string => {
    const cells = rows.map(row => row.cells[at]);
    return `${cells.filter(cell => cell === 'ok').length}/${cells.filter(cell => cell !== 'n/a').length}`;
  };
  return [
    line('requirement', at => columns[at] ?? ''),
    ...rows.map(({ id, cells }) => line(id, at => cells[at] ?? '')),
    line('proved', proved),
  ].join('\n');
}
