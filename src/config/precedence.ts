// Which source decides: the strongest one that says something, unless it is about isolation and they disagree. Then the
// safer value wins, and is said so. What a person gives on the command line is their choice and stands above both.
import type { Setting } from '../base/setting.ts';
import { describeOrigin } from './origin.ts';
import { showValue } from './problem.ts';
import type { ResolvedValue } from './resolve.ts';

export interface ByRule {
  /** Undefined: no source says anything. */
  readonly decided: ResolvedValue | undefined;
  /** Where it is not what the order of the sources would have come to: what was taken, what was not, and why. */
  readonly said?: string;
}

type Stated = ReadonlyMap<string, readonly ResolvedValue[]>;

/** Pure. `stated`: of every setting, strongest source first. */
export function decideByRule(key: string, setting: Setting<unknown>, stated: Stated): ByRule {
  const own = stated.get(key) ?? [];
  const [first] = own;
  if (!first || !setting.safer || first.origin.from === 'flag') return { decided: first };
  let decided = first;
  for (const other of [...own.slice(1), ...general(setting, own, stated)]) {
    const value = setting.safer(decided.value, other.value);
    if (value !== decided.value) decided = { value, origin: other.origin };
  }
  if (decided === first) return { decided };
  const [kept, dropped] = [decided, first].map(
    ({ value, origin }) => `${showValue(value)} (${describeOrigin(origin)})`,
  );
  const said = `${key}: ${kept} is used, not ${dropped}. Where sources disagree about isolation, the safer value wins.`;
  return { decided, said };
}

const ORDER = ['flag', 'environment', 'dotenv', 'file', 'default'] as const;

/** What sources below the strongest one say about the more general setting, where they say nothing about this one. */
function general({ narrows }: Setting<unknown>, own: readonly ResolvedValue[], stated: Stated) {
  const rank = ({ origin }: ResolvedValue): number => ORDER.indexOf(origin.from);
  const [first] = own;
  if (narrows === undefined || !first) return [];
  const ranks = new Set(own.map(rank));
  const others = stated.get(narrows) ?? [];
  return others.filter(other => rank(other) > rank(first) && !ranks.has(rank(other)));
}
