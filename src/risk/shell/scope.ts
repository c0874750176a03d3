// What is known at one point of a script: variables, functions, the folder, files written before. And how much work is left.
import type { Function as FunctionNode } from 'unbash';
import { type Input, type SimpleCommand, UNKNOWN } from '../command.ts';

export interface Scope {
  /** Several values: it may be any of them. */
  readonly variables: Map<string, readonly string[]>;
  /** The elements of arrays; their text is among the variables too. */
  readonly arrays: Map<string, readonly string[]>;
  /** Names that stand for other names, by `declare -n`. */
  readonly references: Map<string, string>;
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, { readonly node: FunctionNode; readonly source: string }>;
  /** By located path: what the script itself has put there. */
  readonly files: Map<string, Input>;
  /** By located path: folders that were fetched from elsewhere, with all that is in them. */
  readonly folders: Map<string, Input>;
  /** By number: what `exec 3<file` has opened. */
  readonly descriptors: Map<number, Input>;
  /** `$1` and on; undefined = nobody knows them, as in a shell that lives on from command to command. */
  positional: readonly string[] | undefined;
  /** `$0`; undefined = nobody knows it. */
  zero: string | undefined;
  cwd: string;
  /** Inside a branch that may not run, an assignment adds a value and takes none away. */
  branches: number;
}

/** Something that could not be found out, as a finding's rule. */
export interface Gap {
  readonly rule: string;
  readonly part: string;
}

export interface Walk {
  readonly commands: SimpleCommand[];
  readonly gaps: Gap[];
  /** Characters that may still be parsed, and commands and words that may still be looked at. */
  charactersLeft: number;
  commandsLeft: number;
  wordsLeft: number;
}

const MAX_CHARACTERS = 512 * 1024;
const MAX_COMMANDS = 300;
const MAX_WORDS = 20_000;
/** Variables of every shell. The folder and the home folder have signs of their own in paths. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['HOME', ['~']],
  ['PWD', ['.']],
  ['TMPDIR', ['/tmp/tmpdir']],
  ['TMP', ['/tmp/tmpdir']],
  ['IFS', [' ']],
  ['USER', ['user']],
  ['LOGNAME', ['user']],
  ['UID', ['1000']],
  ['EUID', ['1000']],
  ['HERMES_HOME', ['~/.hermes']],
  ['XDG_CONFIG_HOME', ['~/.config']],
  ['XDG_CACHE_HOME', ['~/.cache']],
  ['OSTYPE', ['linux-gnu']],
  ['HOSTNAME', ['host']],
]);

/** Whether a variable has the value that every shell gives it, as far as this script tells; an earlier one may have changed it. */
export function isUsual({ variables }: Scope, name: string): boolean {
  return !variables.has(name) && USUAL.has(name);
}

/** Undefined when nobody knows them. */
export function valuesOf({ variables }: Scope, name: string): readonly string[] | undefined {
  return variables.get(name) ?? USUAL.get(name);
}

export function newWalk(): Walk {
  return {
    commands: [],
    gaps: [],
    charactersLeft: MAX_CHARACTERS,
    commandsLeft: MAX_COMMANDS,
    wordsLeft: MAX_WORDS,
  };
}

export function newScope(): Scope {
  return {
    variables: new Map(),
    arrays: new Map(),
    references: new Map(),
    aliases: new Map(),
    functions: new Map(),
    files: new Map(),
    folders: new Map(),
    descriptors: new Map(),
    positional: undefined,
    zero: undefined,
    cwd: '.',
    branches: 0,
  };
}

/** What a subshell changes stays in it, but for files. */
export function childScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    arrays: new Map(scope.arrays),
    references: new Map(scope.references),
    functions: new Map(scope.functions),
  };
}

const MAX_VALUES = 16;
const MAX_VALUE_CHARACTERS = 16 * 1024;
const MAX_GAPS = 64;

/** Notes what could not be found out. What comes after the first few says nothing new. */
export function addGap({ gaps }: Walk, rule: string, part: string): void {
  if (gaps.length < MAX_GAPS) gaps.push({ rule, part });
}

export function assign(scope: Scope, name: string, values: readonly string[]): void {
  const target = scope.references.get(name);
  // The first value that a reference gets is the name it stands for.
  if (target === '') scope.references.set(name, values[0] ?? '');
  else if (target !== undefined && target !== name && !scope.references.has(target))
    keepValues(scope, target, values);
  keepValues(scope, name, values);
}

function keepValues(scope: Scope, name: string, values: readonly string[]): void {
  const before = scope.branches > 0 || scope.references.size > 0 ? (valuesOf(scope, name) ?? []) : [];
  scope.arrays.delete(name);
  const all = [...new Set([...before, ...values])];
  const isTooMuch = all.length > MAX_VALUES || all.some(value => value.length > MAX_VALUE_CHARACTERS);
  scope.variables.set(name, isTooMuch ? [UNKNOWN] : all);
}
