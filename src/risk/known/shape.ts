// How the table of harmless programs says what a program may be given. Pure; each shape is a question about words.
import { isUnknown } from '../command.ts';
import type { Judged } from '../rules/rule.ts';

/** Whether these words make it harmless, as far as the program itself goes: what its words name is judged elsewhere. */
export type Shape = (args: readonly string[], command: Judged) => boolean;

/** No flag of it runs a program, or writes what no word of it names. */
export const any: Shape = () => true;

/** Only told to say how it is used, or which version it is. */
const TELLING = /^(?:--help|--version|-help|-version|-V|help|version)$/;
export const telling: Shape = args => args.length > 0 && args.every(arg => TELLING.test(arg));

/**
 * Only these flags: letters as getopt has them (`n:` takes a value, `#` stands for a number), long names, and long names
 * behind a single dash. A word that is known only when it runs may be any flag.
 */
export function only(letters: string, long = '', single = ''): Shape {
  const [names, singles] = [new Set(long.split(' ')), new Set(single.split(' '))];
  return args => {
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? '';
      if (arg === '--') return true;
      if (isUnknown(arg[0] ?? '')) return false;
      if (!arg.startsWith('-') || arg === '-') continue;
      const [name = ''] = arg.split('=', 1);
      if (arg.startsWith('--')) {
        if (!names.has(name.slice(2))) return false;
      } else if (!singles.has(name.slice(1))) {
        const fit = clusterFit(arg.slice(1), letters);
        if (fit === 'unfit') return false;
        if (fit === 'takes-next') at++;
      }
    }
    return true;
  };
}

function clusterFit(cluster: string, letters: string): 'fit' | 'unfit' | 'takes-next' {
  if (letters.includes('#') && /^\d+$/.test(cluster)) return 'fit';
  for (let at = 0; at < cluster.length; at++) {
    const found = letters.indexOf(cluster[at] ?? '');
    if (found === -1 || cluster[at] === ':' || cluster[at] === '#') return 'unfit';
    if (letters[found + 1] === ':') return at === cluster.length - 1 ? 'takes-next' : 'fit';
  }
  return 'fit';
}

/** Any flag but these: letters in any cluster, and names, whole or shortened, behind one dash or two. */
export function without(letters: string, long = ''): Shape {
  const names = long.split(' ').filter(name => name !== '');
  return args => {
    for (const arg of args) {
      if (arg === '--') return true;
      if (isUnknown(arg[0] ?? '')) return false;
      const given = /^--?([^=]*)/.exec(arg)?.[1] ?? '';
      if (
        given.length >= 2 &&
        names.some(name => name === given || (given.length > 2 && name.startsWith(given)))
      )
        return false;
      if (/^-[^-]/.test(arg) && [...letters].some(letter => arg.split('=', 1)[0]?.includes(letter)))
        return false;
    }
    return true;
  };
}

/** By the first word that is no flag; `valued` are the flags before it that take a word. An unlisted word is not harmless. */
export function verbs(table: Readonly<Record<string, Shape>>, before: Before = {}): Shape {
  const { valued = [], flags = any, bare = any } = before;
  return (args, command) => {
    let at = 0;
    for (; at < args.length && args[at]?.startsWith('-'); at++) if (valued.includes(args[at] ?? '')) at++;
    if (!flags(args.slice(0, at), command)) return false;
    const verb = args[at];
    if (verb === undefined) return bare(args, command);
    const shape = Object.hasOwn(table, verb) ? table[verb] : undefined;
    return shape?.(args.slice(at + 1), command) ?? false;
  };
}

interface Before {
  readonly valued?: readonly string[];
  readonly flags?: Shape;
  /** Without any verb. */
  readonly bare?: Shape;
}

/** The same shape for many names. */
export function each(names: string, shape: Shape = any): Record<string, Shape> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, shape]),
  );
}

export const all =
  (...shapes: readonly Shape[]): Shape =>
  (args, command) =>
    shapes.every(shape => shape(args, command));
