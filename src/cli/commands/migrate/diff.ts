// Which lines a rewrite changes, for people. Values of `.env` and of keys that name a secret are not shown.
import { basename } from 'node:path';
import type { FileChange } from '../../../config/original/plan.ts';

const SECRET = /((?:key|token|secret|password)["']?\s*:\s*)("[^"]*"|'[^']*'|[^,}\s]+)/gi;

export interface LineChange {
  readonly sign: '-' | '+';
  readonly text: string;
}

/** Pure: the changed lines in their order; those that stayed are left out. */
export function changedLines({ file, before, after }: FileChange): readonly LineChange[] {
  const isSecret = basename(file) === '.env';
  const shown = (text: string): string =>
    isSecret ? text.replace(/=.*$/s, '=***') : text.replace(SECRET, '$1***');
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const common = commonLengths(old, fresh);
  const changes: LineChange[] = [];
  for (let [at, to] = [0, 0]; at < old.length || to < fresh.length; ) {
    if (at < old.length && to < fresh.length && old[at] === fresh[to]) {
      at++;
      to++;
    } else if (
      at < old.length &&
      (to >= fresh.length || (common[at + 1]?.[to] ?? 0) >= (common[at]?.[to + 1] ?? 0))
    )
      changes.push({ sign: '-', text: shown(old[at++] ?? '') });
    else changes.push({ sign: '+', text: shown(fresh[to++] ?? '') });
  }
  return changes;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** How many lines the rests from each pair of places have in common. */
function commonLengths(old: readonly string[], fresh: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = fresh.length - 1; to >= 0; to--) {
      const row = lengths[at] ?? [];
      const below = lengths[at + 1] ?? [];
      row[to] = old[at] === fresh[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0);
    }
  }
  return lengths;
}
