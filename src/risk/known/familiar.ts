// Whether a command is known to be harmless as far as its program goes. Where something is exposed, what is not known is asked.
import { isUnknown } from '../command.ts';
import { isContained } from '../contained.ts';
import type { Judged } from '../rules/rule.ts';
import { innerOf } from '../unwrap/unwrap.ts';
import { isKnownInterpreter } from './interpreters.ts';
import { type Shape, telling } from './shape.ts';
import { loadsNothingForeign } from './stays.ts';
import { buildTable } from './table-build.ts';
import { fileTable } from './table-files.ts';
import { gitTable } from './table-git.ts';
import { systemTable } from './table-system.ts';
import { areTame } from './tame.ts';
import { leadingVariable } from './variables.ts';
import { lies } from './whereabouts.ts';

const TABLE: ReadonlyMap<string, Shape> = new Map(
  [systemTable, buildTable, gitTable, fileTable].flatMap(table => Object.entries(table)),
);

/** Whether a name is one of a program that is known, with whatever flags. */
export function isTabled(program: string): boolean {
  return TABLE.has(program) || /^(?:ba|da|z|k|a)?sh$/.test(program);
}

/** Modules that python itself brings and that do something when they are run. */
const PYTHON_OWN =
  /^(?:aifc|antigravity|asyncio|base64|bdb|code|codeop|cgi|ctypes|curses|dis|distutils|doctest|encodings|filecmp|fileinput|ftplib|getopt|gzip|http|idlelib|imaplib|importlib|inspect|lib2to3|mailbox|mailcap|mimetypes|modulefinder|multiprocessing|netrc|nntplib|os|pickle|pickletools|pip|poplib|posix|profile|pstats|pty|pyclbr|quopri|random|runpy|sched|secrets|select|shelve|shlex|shutil|site|smtpd|smtplib|socket|socketserver|sqlite3|ssl|subprocess|symtable|tarfile|telnetlib|tempfile|test|threading|timeit|tkinter|tokenize|turtle|turtledemo|urllib|uu|webbrowser|wsgiref|xml|xmlrpc|zipapp|zipfile)(?:\.|$)/;

/** Why it is not known to be harmless, as the end of a sentence; undefined when it is. */
export function strangeness(command: Judged): string | undefined {
  const { program, path } = command;
  if (isContained(command)) return undefined;
  const variable = leadingVariable(command);
  if (variable !== undefined) return `it sets ${variable}`;
  if (program === '' || program.startsWith('@') || command.isDefined || isUnknown(program)) return undefined;
  const where = path.includes('/') ? whereOf(command) : 'named';
  if (where === 'elsewhere')
    return 'its program lies neither in the working folder nor with those of the system';
  if (where === 'inside' && isKnownInterpreter(command) === undefined) return undefined;
  return isKnown(command) ? undefined : 'this program is not known with these flags';
}

function whereOf({ path, locate, variables }: Judged): 'inside' | 'installed' | 'elsewhere' {
  const { inside, installed } = lies(path, { locate });
  if (inside) return 'inside';
  // `$JAVA_HOME/bin/java`
  const isNamed =
    isUnknown(path) &&
    variables.length > 0 &&
    variables.every(name =>
      /^(?:JAVA_HOME|GOROOT|GOPATH|VIRTUAL_ENV|CONDA_PREFIX|NVM_BIN|CARGO_HOME|PYENV_ROOT)$/.test(name),
    );
  const isPackaged = /^(?:\.\.\/)+(?:[\w.-]+\/)*(?:node_modules\/\.bin|\.?venv\/bin)\/[\w.-]+$/.test(path);
  return installed || isNamed || isPackaged ? 'installed' : 'elsewhere';
}

function isKnown(command: Judged): boolean {
  const { program, args } = command;
  const interpreter = isKnownInterpreter(command);
  if (interpreter !== undefined) return interpreter || telling(args, command);
  const named = program.replace(/(?<=.)@[\w.^~-]+$/, '');
  const shape = TABLE.get(named) ?? TABLE.get(named.replace(/-?\d[\d.]*$/, ''));
  if (shape)
    return (
      (shape(tamed(command), command) &&
        (isOfFiles(named) || (command.inner ?? []).length > 0 || loadsNothingForeign(args, command))) ||
      telling(args, command)
    );
  // A module of the work, as a file of it; the door looks at it.
  if (command.via.at(-1) === 'python -m') return !PYTHON_OWN.test(program);
  // What it runs is looked at in its own right.
  return (
    args.length > 0 &&
    (telling(args, command) ||
      (command.inner ?? innerOf(command)).some(({ kind }) => kind === 'argv' || kind === 'script'))
  );
}

/** Programs for files and texts load nothing; their flags name what they work on. */
function isOfFiles(program: string): boolean {
  return Object.hasOwn(fileTable, program);
}

/** Words that are known only when it runs may be flags, unless they are tame. */
function tamed(command: Judged): readonly string[] {
  // What stands behind an alias is said where it is called.
  return command.args.some(isUnknown) && (areTame(command) || command.via.includes('alias'))
    ? command.args.map(arg => (isUnknown(arg[0] ?? '') ? `x${arg}` : arg))
    : command.args;
}
