// What a command makes that was not there before, as far as its words tell.
import { hasFlag, operands, type SimpleCommand } from '../command.ts';
import { locate } from '../paths.ts';
import { writtenBy } from './writes.ts';

/** Located. Folders end with a slash: all that is in them is new too. `mkdir -p` takes one that is there already. */
export function madeBy(command: SimpleCommand): string[] {
  const { program, cwd } = command;
  if (program === 'mktemp') return ['/tmp/mktemp/'];
  const folders =
    program === 'mkdir' && !hasFlag(command, 'p', 'parents') ? operands(command, ['m', 'mode']) : [];
  return [
    ...folders.map(path => `${locate(path, cwd)}/`),
    ...writtenBy(command).map(path => locate(path, cwd)),
  ];
}

export function isMade(located: string, made: readonly string[]): boolean {
  return made.some(each => each === located || (each.endsWith('/') && `${located}/`.startsWith(each)));
}
