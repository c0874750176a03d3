// One simple command as the rules see it: decoded words, where its input comes from, what it is wrapped in.

import type { Inner } from './unwrap/inner.ts';

/** Stands in a word for text that is known only when the command runs. Private use, so that no command contains it. */
export const UNKNOWN = '\uE000';

export interface Redirection {
  /** As written: `>`, `>>`, `<`, `>&`, … */
  readonly operator: string;
  readonly descriptor: number | undefined;
  readonly target: string;
}

/** Where standard input, or the content of a file, comes from. */
export interface Input {
  readonly sources: readonly SimpleCommand[];
  /** What it says, where that is known beforehand. */
  readonly text?: string;
  /** Opened by somebody before, so that nobody can tell what it is; a file of that name would at least have one. */
  readonly isOpaque?: true;
}

export interface SimpleCommand {
  /** The last part of the command word's path; empty where there are only assignments or redirections. */
  readonly program: string;
  /** The command word, decoded. */
  readonly path: string;
  readonly args: readonly string[];
  readonly assignments: ReadonlyMap<string, string>;
  readonly redirections: readonly Redirection[];
  /** As written. */
  readonly text: string;
  /** What it runs inside of, outermost first: `sudo`, `xargs`, `bash -c`, … */
  readonly via: readonly string[];
  readonly input?: Input;
  /** The file among its words that it reads, where the script itself has written it. */
  readonly opened?: Input;
  /** What can be read from other descriptors than standard input. */
  readonly descriptors?: ReadonlyMap<number, Input>;
  /** The next command of the pipeline, as written. */
  readonly outlet?: string;
  /** The folder it runs in; `.` is where the whole command starts. */
  readonly cwd: string;
  /** Its name is a function or an alias that the script itself has made; what that does is looked at in its own right. */
  readonly isDefined?: true;
  /** What it runs besides itself, once that was looked for. */
  readonly inner?: readonly Inner[];
  /** The files it writes, as written, once they were looked for. */
  readonly written?: readonly string[];
  /** The commands whose output stands among its words. */
  readonly substituted: readonly SimpleCommand[];
  /** Names of variables that stand among its words with a value nobody knows. */
  readonly variables: readonly string[];
}

export function isUnknown(text: string): boolean {
  return text.includes(UNKNOWN);
}

export function programOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.exe$/i, '');
}

/** Whether a flag is given: one letter in any cluster, or a long name, whole or shortened as GNU programs allow. */
export function hasFlag({ args }: Pick<SimpleCommand, 'args'>, ...names: readonly string[]): boolean {
  const end = args.indexOf('--');
  const flags = end === -1 ? args : args.slice(0, end);
  return flags.some(arg => names.some(name => isFlag(arg, name)));
}

function isFlag(arg: string, name: string): boolean {
  if (name.length === 1)
    return /^-[A-Za-z0-9]/.test(arg) && arg.slice(1).split('=', 1)[0]?.includes(name) === true;
  const [given = ''] = arg.split('=', 1);
  if (given === `-${name}` || given === `--${name}`) return true;
  return given.length >= 5 && given.startsWith('--') && `--${name}`.startsWith(given);
}

/** The values of a flag: `-o x`, `-ox`, `--output x`, `--output=x`. */
export function flagValues({ args }: Pick<SimpleCommand, 'args'>, ...names: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    for (const name of names) {
      const value =
        name.length === 1 ? shortValue(arg, name, args[at + 1]) : longValue(arg, name, args[at + 1]);
      if (value !== undefined) return [value];
    }
    return [];
  });
}

function shortValue(arg: string, letter: string, next: string | undefined): string | undefined {
  if (!/^-[A-Za-z]/.test(arg) || arg.startsWith('--')) return undefined;
  const at = arg.indexOf(letter, 1);
  if (at === -1) return undefined;
  return at === arg.length - 1 ? next : arg.slice(at + 1).replace(/^=/, '');
}

function longValue(arg: string, name: string, next: string | undefined): string | undefined {
  if (arg === `--${name}` || arg === `-${name}`) return next;
  return arg.startsWith(`--${name}=`) ? arg.slice(name.length + 3) : undefined;
}

/** The values of a long flag, whole or shortened as GNU programs allow: `--compress-prog=x`. */
export function longFlagValues({ args }: Pick<SimpleCommand, 'args'>, name: string, least = 4): string[] {
  return args.flatMap((arg, at) => {
    const [given = ''] = arg.split('=', 1);
    if (given.length < least + 2 || !`--${name}`.startsWith(given)) return [];
    return arg.includes('=') ? [arg.slice(given.length + 1)] : (args[at + 1] ?? []);
  });
}

/** What is no flag; after `--` everything is. `valued` are flags, letters and long names, that take the next word. */
export function operands({ args }: Pick<SimpleCommand, 'args'>, valued: readonly string[] = []): string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return [...found, ...args.slice(at + 1)];
    if (arg === '-' || !arg.startsWith('-')) found.push(arg);
    else if (valued.some(name => takesNext(arg, name))) at++;
  }
  return found;
}

function takesNext(arg: string, name: string): boolean {
  if (name.length > 1) return arg === `--${name}` || arg === `-${name}`;
  return !arg.startsWith('--') && arg.endsWith(name);
}
