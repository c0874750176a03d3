// What "always" may learn of a program that is not known: its name, its flags, and how many files of the work it is given.
import { isUnknown } from '../command.ts';
import { zoneOf } from '../paths.ts';
import { holdsKeys, isHermes, startsByItself } from '../places.ts';
import type { Judged } from '../rules/rule.ts';
import { languageOf } from '../unwrap/interpreters.ts';
import { isTabled } from './familiar.ts';
import { leadingVariable } from './variables.ts';

/** Names of programs that are far more often a verb of another one. */
const VERB =
  /^(?:test|install|build|file|time|type|set|read|serve|task|service|link|join|split|sort|look|help|history|host|users|last|local|export|open|top|dir|wait|users|clear|reset|locate|convert|identify|serve|air|wire|standard|tap|buf|port|id)$/;

/** What stands for a file of the work in a shape. */
const FILE = '{file}';

/**
 * Undefined where only the exact command may be learned: an interpreter, code, a program that lies elsewhere or runs another,
 * one that is known and has unknown flags, words that are known only when it runs.
 */
export function shapeOf(command: Judged): string | undefined {
  const { program, path, args, via } = command;
  const isPlain =
    via.length === 0 &&
    program === path &&
    /^[\w.+-]+$/.test(program) &&
    leadingVariable(command) === undefined;
  if (!isPlain || isTabled(program) || languageOf(program) !== undefined || (command.inner?.length ?? 0) > 0)
    return undefined;
  if (!args.every(arg => isPlainWord(arg))) return undefined;
  const words = args.filter(arg => !arg.startsWith('-'));
  // Whatever runs another program runs it on any file then.
  if (words.some(word => (isTabled(word) && !VERB.test(word)) || languageOf(word) !== undefined))
    return undefined;
  const flags = args.filter(arg => arg.startsWith('-'));
  return [program, ...words.map(word => kindOf(word, command)), ...[...new Set(flags)].toSorted()].join(' ');
}

function isPlainWord(arg: string): boolean {
  return !isUnknown(arg) && /^[\w./:=@%+,~^-]+$/.test(arg);
}

/** A file of the work is like any other; every other word is itself: a verb, a host, a path elsewhere. */
function kindOf(word: string, { locate }: Judged): string {
  const located = locate(word);
  // `evil.sh` and `evil.sh/x` are hosts as well as files; with a folder first there is no doubt.
  const isFile = /^(?:\.\/|[\w-]+\/)/.test(word) && !/[:@=]/.test(word);
  const isOfTheWork =
    zoneOf(located) === 'inside' && !holdsKeys(located) && !startsByItself(located) && !isHermes(located);
  return isFile && isOfTheWork ? FILE : word;
}
