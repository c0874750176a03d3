// A command by what it means: its program, its flags in one writing, its other words. `rm -fr` = `rm -r -f` = `/bin/rm --force -R`.
import { programOf } from './command.ts';

export interface CommandParts {
  readonly program: string;
  readonly flags: ReadonlySet<string>;
  /** What is no flag, in order. */
  readonly words: readonly string[];
}

/** Programs whose flags are whole words behind one dash. */
const WORD_FLAGS =
  /^(?:g?find|java|javac|go|terraform|tofu|openssl|gcc|g\+\+|clang|ffmpeg|convert|magick|xmllint|sqlite3)$/;
/** The same flag in two writings. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  recursive: 'r',
  force: 'f',
  verbose: 'v',
  quiet: 'q',
  silent: 'q',
  all: 'a',
  interactive: 'i',
  delete: 'd',
  'dry-run': 'n',
  archive: 'a',
  output: 'o',
};
/** Capital and small mean the same. */
const SAME_CASE: Readonly<Record<string, string>> = { rm: 'R', cp: 'R', grep: 'R' };
/** Flags before the verb that take the next word. */
const VALUED: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']),
  docker: new Set(['-H', '--host', '--context', '--config', '-l']),
  kubectl: new Set(['-n', '--namespace', '--context', '--kubeconfig', '--cluster']),
  systemctl: new Set(['-H', '-M', '-t', '-p']),
};

export function partsOf(text: string): CommandParts {
  const [path = '', ...args] = text.split(/\s+/).filter(word => word !== '');
  const program = programOf(path);
  const flags = new Set<string>();
  const words: string[] = [];
  const valued = Object.hasOwn(VALUED, program) ? VALUED[program] : undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return { program, flags, words: [...words, ...args.slice(at + 1)] };
    if (!arg.startsWith('-') || arg === '-') words.push(arg);
    else {
      for (const flag of flagsIn(arg, program)) flags.add(flag);
      if (words.length === 0 && valued?.has(arg)) at++;
    }
  }
  return { program, flags, words };
}

function flagsIn(arg: string, program: string): readonly string[] {
  if (arg.startsWith('--')) {
    const [name = '', ...value] = arg.slice(2).split('=');
    const known = Object.hasOwn(LONG_NAMES, name) && value.length === 0 ? LONG_NAMES[name] : undefined;
    return [known === undefined ? arg : `-${known}`];
  }
  if (WORD_FLAGS.test(program) || !/^-[A-Za-z]+$/.test(arg)) return [arg];
  return [...arg.slice(1)].map(letter => `-${letter === SAME_CASE[program] ? letter.toLowerCase() : letter}`);
}

/** Whether a command is the entry's, with at least its flags and with its words first. */
export function isWithin(entry: CommandParts, command: CommandParts): boolean {
  return (
    entry.program === command.program &&
    [...entry.flags].every(flag => command.flags.has(flag)) &&
    entry.words.every((word, at) => command.words[at] === word)
  );
}

/** In one writing: program, flags in order, other words. */
export function canonicalText(text: string): string {
  const { program, flags, words } = partsOf(text);
  return [program, ...[...flags].toSorted(), ...words].join(' ');
}
