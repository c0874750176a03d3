// Which checks a sampled run leaves out. Some families exercise the shell channel alone, which is the same code in every
// sandbox: `npm test` tries them in full on four columns and shares them out among the others.
import { readEnvironment } from '../../src/config/environment.ts';
import type { Column } from './column.ts';
import { type Family, familyOf } from './requirements.ts';

const CHANNEL: ReadonlySet<string> = new Set<Family>([
  'exit',
  'signal',
  'output',
  'stdin',
  'script',
  'concurrency',
  'cwd',
  'persistent',
]);
const QUARTERS = 4;

export function isSampled(): boolean {
  return readEnvironment()['HERMES_CONFORMANCE'] === 'sampled';
}

/** Whether a sampled run tries a check on a column; `at` counts the checks of a column, in each mode. */
export function isInSample({ quarter }: Pick<Column, 'quarter'>, id: string, at: number): boolean {
  return quarter === undefined || !CHANNEL.has(familyOf(id)) || at % QUARTERS === quarter;
}
