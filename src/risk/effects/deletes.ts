// The files that a command removes.
import { flagValues, hasFlag, operands, type SimpleCommand } from '../command.ts';

export interface Deletion {
  readonly path: string;
  readonly isRecursive: boolean;
  /** Only some of what is below the path, by name or age. */
  readonly isFiltered: boolean;
}

export function deletedBy(command: SimpleCommand): Deletion[] {
  switch (command.program) {
    case 'rm':
    case 'grm':
    case 'srm':
    case 'rimraf':
    case 'del-cli':
    case 'trash':
    case 'unlink':
    case 'wipe':
      return removed(command);
    case 'rmdir':
      return hasFlag(command, 'p', 'parents') ? removed(command) : [];
    case 'find':
    case 'gfind':
      return foundAndDeleted(command);
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'lzma':
    case 'pigz':
    case 'compress':
      return hasFlag(
        command,
        'k',
        'c',
        'l',
        't',
        'd',
        'keep',
        'stdout',
        'to-stdout',
        'list',
        'test',
        'decompress',
      )
        ? []
        : removed(command);
    case 'zip':
      return hasFlag(command, 'm', 'move')
        ? operands(command)
            .slice(1)
            .map(path => deletion(path, { isRecursive: true }))
        : [];
    case 'shred':
      return hasFlag(command, 'u', 'remove') ? removed(command) : [];
    case 'Remove-Item':
    case 'ri':
    case 'del':
    case 'rd':
    case 'erase':
      return operands(command).map(path =>
        deletion(path.replaceAll('\\', '/'), {
          isRecursive: command.args.some(arg => /^(?:-r|\/s)/i.test(arg)),
        }),
      );
    default:
      return [];
  }
}

function removed(command: SimpleCommand): Deletion[] {
  const isRecursive = hasFlag(command, 'r', 'R', 'recursive') || command.program === 'rimraf';
  return operands(command).map(path => deletion(path, { isRecursive }));
}

function deletion(path: string, { isRecursive }: { isRecursive: boolean }): Deletion {
  return { path, isRecursive, isFiltered: false };
}

const FILTERS = [
  'name',
  'iname',
  'path',
  'ipath',
  'wholename',
  'regex',
  'iregex',
  'mtime',
  'mmin',
  'atime',
  'ctime',
  'newer',
  'size',
  'empty',
];

function foundAndDeleted(command: SimpleCommand): Deletion[] {
  const { args } = command;
  if (!args.includes('-delete')) return [];
  const starts = args.slice(
    0,
    args.findIndex(arg => /^[-(!]/.test(arg)),
  );
  const [name] = flagValues(command, 'name', 'iname');
  const isFiltered =
    args.some(arg => FILTERS.includes(arg.slice(1))) &&
    name !== '*' &&
    !args.some(arg => arg === '!' || arg === '-not');
  return (starts.length > 0 ? starts : ['.']).map(path => ({ path, isRecursive: true, isFiltered }));
}
