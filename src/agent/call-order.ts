// Which tool calls of one answer run at the same time. Those that only read do, as far as they stand side by side;
// everything else runs in the order in which the model wrote it, because later calls may build on earlier ones. Pure.
import type { ToolCall } from '../providers/provider.ts';

const READING: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files']);
/** Of those that read; each takes a lane of the sandbox. */
const MOST_AT_ONCE = 4;

/** Groups that run one after the other, the calls of each at the same time. */
export function inGroups(calls: readonly ToolCall[]): readonly (readonly ToolCall[])[] {
  const groups: ToolCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const joins = last !== undefined && last.length < MOST_AT_ONCE && [call, ...last].every(isReading);
    if (joins) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

function isReading({ name }: ToolCall): boolean {
  return READING.has(name);
}
