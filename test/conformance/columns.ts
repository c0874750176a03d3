// The columns of the matrix. One of somebody else is given as the path of a file that exports `column`.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Column } from './column.ts';
import { column as bubblewrap } from './columns/bubblewrap.ts';
import { column as daytona } from './columns/daytona.ts';
import { column as docker } from './columns/docker.ts';
import { column as local } from './columns/local.ts';
import { column as localBusybox } from './columns/local-busybox.ts';
import { column as modal } from './columns/modal.ts';
import { column as singularity } from './columns/singularity.ts';
import { column as ssh } from './columns/ssh.ts';

export const columns: readonly Column[] = [
  local,
  localBusybox,
  docker,
  bubblewrap,
  ssh,
  singularity,
  modal,
  daytona,
];

/** `wanted`: names and paths with commas between them; absent or empty = all. Throws for one that is unknown. */
export async function loadColumns(wanted = ''): Promise<readonly Column[]> {
  const names = wanted.split(',').map(name => name.trim());
  if (names.every(name => name === '')) return columns;
  return Promise.all(names.filter(Boolean).map(loadColumn));
}

async function loadColumn(name: string): Promise<Column> {
  // What stands in brackets behind a name need not be written.
  const known = columns.find(column => column.name === name || column.name.replace(/ \(.*\)$/, '') === name);
  if (known) return known;
  if (!name.includes('/')) {
    const list = columns.map(column => column.name).join(', ');
    throw new Error(`BACKENDS: there is no column ${name}. Known: ${list}, or the path of a file with one.`);
  }
  const loaded = (await import(pathToFileURL(resolve(name)).href)) as { column: Column }; // the file's own promise
  return loaded.column;
}
