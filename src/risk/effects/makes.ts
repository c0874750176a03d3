// What a command makes that was not there before, as far as its words tell.
import { hasFlag, operands } from '../command.ts';
import type { Judged } from '../rules/rule.ts';

/** Located. Folders end with a slash: all that is in them is new too. `mkdir -p` takes one that is there already. */
export function madeBy({ program, args, writes, locate }: Judged): readonly string[] {
  if (program === 'mktemp') return ['/tmp/mktemp/'];
  if (program !== 'mkdir' || hasFlag({ args }, 'p', 'parents')) return writes;
  return operands({ args }, ['m', 'mode']).map(path => `${locate(path)}/`);
}

export function isMade(located: string, made: readonly string[]): boolean {
  return made.some(each => each === located || (each.endsWith('/') && `${located}/`.startsWith(each)));
}
