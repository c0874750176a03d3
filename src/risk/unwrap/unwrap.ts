// All that a command runs besides itself. New wrappers go into the file of their kind.
import type { SimpleCommand } from '../command.ts';
import { byVariable } from './by-variable.ts';
import { embedded } from './embedded.ts';
import type { Inner } from './inner.ts';
import { interpreted } from './interpreters.ts';
import { prefixed } from './prefixes.ts';
import { elsewhere } from './remote.ts';
import { repeated } from './repeaters.ts';

export function innerOf(command: SimpleCommand): Inner[] {
  return [
    ...prefixed(command),
    ...interpreted(command),
    ...elsewhere(command),
    ...repeated(command),
    ...embedded(command),
    ...byVariable(command),
  ];
}
