// What a builtin changes for the commands after it: the folder, variables, parameters, names, open files.
import { hasFlag, operands, type SimpleCommand, UNKNOWN } from '../command.ts';
import { locate } from '../paths.ts';
import { outputOf } from './output.ts';
import { assign, isUsual, type Scope } from './scope.ts';

const MAX_FOLDER_CHARACTERS = 512;

type Change = (command: SimpleCommand, scope: Scope) => void;

export function changeScope(command: SimpleCommand, scope: Scope): void {
  const change = Object.hasOwn(CHANGES, command.program) ? CHANGES[command.program] : undefined;
  change?.(command, scope);
}

const changeFolder: Change = (command, scope) => {
  const [target = '~'] = operands(command);
  const folder = target === '-' ? UNKNOWN : locate(target, scope.cwd);
  scope.cwd = folder.length > MAX_FOLDER_CHARACTERS ? UNKNOWN : folder;
};

const readWords: Change = (command, scope) => {
  const text = command.input?.text;
  for (const name of operands(command, ['p', 'd', 'n', 'N', 't', 'u', 'i', 'a']))
    assign(scope, name, text === undefined ? [UNKNOWN] : text.split('\n'));
};

/** `set -e` changes nothing here; what follows the flags are the parameters, with `--` before them or not. */
const setParameters: Change = ({ args }, scope) => {
  let at = 0;
  for (; at < args.length && /^[-+][A-Za-z]+$/.test(args[at] ?? ''); at++)
    if (/^[-+][A-Za-z]*o$/.test(args[at] ?? '')) at++;
  const isEnded = args[at] === '--' || args[at] === '-';
  const given = args.slice(isEnded ? at + 1 : at);
  if (given.length > 0 || args[at] === '--') setPositional(scope, given);
};

const shiftParameters: Change = ({ args }, scope) => {
  if (scope.positional) setPositional(scope, scope.positional.slice(Number(args[0] ?? 1) || 0));
};

/** In a branch it may have been done or not. */
function setPositional(scope: Scope, given: readonly string[]): void {
  scope.positional = scope.branches > 0 ? undefined : given;
}

/** `declare -n r=x`: from now on `$r` is `$x`. */
const declare: Change = (command, scope) => {
  if (!hasFlag(command, 'n')) return;
  for (const arg of operands(command)) {
    const [name = '', target = ''] = arg.split('=', 2);
    scope.references.set(name, target.replace(/\[.*$/, ''));
  }
};

const CHANGES: Readonly<Record<string, Change>> = {
  cd: changeFolder,
  pushd: changeFolder,
  set: setParameters,
  shift: shiftParameters,
  read: readWords,
  mapfile: readWords,
  readarray: readWords,
  declare,
  typeset: declare,
  local: declare,
  alias: ({ args }, scope) => {
    for (const [, name = '', text = ''] of args.map(arg => /^([^=]+)=(.*)$/s.exec(arg) ?? []))
      if (name !== '') scope.aliases.set(name, text);
  },
  // `hash -p /bin/rm ls` gives the name to another program.
  hash: (command, scope) => {
    const at = command.args.indexOf('-p');
    const path = command.args[at + 1];
    if (at !== -1 && path !== undefined)
      for (const name of command.args.slice(at + 2)) scope.aliases.set(name, path);
  },
  unset: ({ args }, scope) => {
    for (const name of args) {
      if (isUsual(scope, name)) scope.variables.set(name, [UNKNOWN]);
      else scope.variables.delete(name);
      scope.arrays.delete(name);
    }
  },
  printf: (command, scope) => {
    const [flag, name, ...args] = command.args;
    if (flag === '-v' && name !== undefined) assign(scope, name, [outputOf({ ...command, args }) ?? UNKNOWN]);
  },
  // Without a command it is the shell itself whose files are exchanged.
  exec: ({ args, input, descriptors }, scope) => {
    if (args.length > 0) return;
    for (const [number, each] of descriptors ?? []) scope.descriptors.set(number, each);
    if (input) scope.descriptors.set(0, input);
  },
  // A download whose name nobody knows may be what is made a program now.
  chmod: (command, scope) => {
    const fetched = scope.files.get(UNKNOWN);
    const paths = fetched ? operands(command).slice(1) : [];
    for (const path of paths.map(each => locate(each, command.cwd)))
      if (fetched && !scope.files.has(path)) scope.files.set(path, fetched);
  },
};
