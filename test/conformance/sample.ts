// Which checks a sampled run leaves out. Some families exercise the shell channel alone, which is the same code in every
// sandbox: `npm test` tries them in full on four columns and shares them out among the others. So it does with the two
// modes of the channel, one-shot and persistent: there each of the other checks is tried in one of them.
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
const MODES = 2;

export function isSampled(): boolean {
  return readEnvironment()['HERMES_CONFORMANCE'] === 'sampled';
}

export interface SampledCheck {
  readonly id: string;
  /** Counts the checks of a column, in each mode. */
  readonly at: number;
  /** The place of its requirement among all. */
  readonly row: number;
  /** The place of its mode among those of the requirement; undefined when there is only one. */
  readonly mode: number | undefined;
}

/** Whether a sampled run tries a check on a column. */
export function isInSample(
  { quarter }: Pick<Column, 'quarter'>,
  { id, at, row, mode }: SampledCheck,
): boolean {
  if (quarter === undefined) return true;
  if (CHANNEL.has(familyOf(id))) return at % QUARTERS === quarter;
  return mode === undefined || (row + quarter) % MODES === mode;
}
