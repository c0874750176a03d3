// The notes about what commands left behind, as they lie in a sandbox: whoever is in there can have changed them. Pure.
import type { LeftBehind } from './channel/lane-end.ts';

/** So many characters of a command are written down: enough to know it by. */
export const WRITTEN_COMMAND = 4096;
/** No command leaves more behind than a sandbox may have. */
const MOST_PROCESSES = 1000;

export interface RemnantNote {
  readonly tag: string;
  readonly command: string;
  readonly processes: readonly LeftBehind[];
}

/** From `TAG NUL PID:START PID:START … LF COMMAND NUL` by turns; what does not read so is no note. */
export function parseNotes(text: string): readonly RemnantNote[] {
  const fields = text.split('\0').slice(0, -1);
  return fields.flatMap((tag, at): RemnantNote[] => {
    if (at % 2 !== 0) return [];
    const [, head = '', command = ''] = /^([\d: ]+)\n(.*)$/s.exec(fields[at + 1] ?? '') ?? [];
    const processes = head.split(' ').flatMap(word => processOf(word));
    const isNote = /^\w+$/.test(tag) && processes.length > 0 && processes.length <= MOST_PROCESSES;
    return isNote ? [{ tag, command, processes }] : [];
  });
}

function processOf(word: string): LeftBehind[] {
  const [, pid, startedAt] = /^(\d{1,10}):(\d{1,20})$/.exec(word) ?? [];
  return pid === undefined || Number(pid) < 2
    ? []
    : [{ pid: Number(pid), startedAt: Number(startedAt), name: '?' }];
}
