// The files that a command runs as programs, by its words alone: `bash x.sh`, `. ./x.sh`, `python3 x.py`, `./x`,
// `python3 < x`, `cat x | sh`, however they are wrapped. Pure.
import { flagValues, isUnknown, type SimpleCommand, UNKNOWN } from '../risk/command.ts';
import { readBy } from '../risk/effects/reads.ts';
import { writtenBy } from '../risk/effects/writes.ts';
import { tooMuch } from '../risk/limits.ts';
import { locate } from '../risk/paths.ts';
import { newScope, newWalk } from '../risk/shell/scope.ts';
import { walkText } from '../risk/shell/walk.ts';
import type { Runner } from '../risk/unwrap/inner.ts';
import { innerOf } from '../risk/unwrap/unwrap.ts';

export interface RunFile {
  /** Absolute, beginning with `~`, or relative to where the command starts. */
  readonly path: string;
  /** Absent = its first line says so. */
  readonly language?: Runner;
  /** Rules of a program that builds; no language that is known here. */
  readonly rules?: true;
  /**
   * `there`: it can be looked at. `perhaps`: only if there is one of that name. `untold`: which file it is shows when the
   * command runs. `written`: the command itself writes it before.
   */
  readonly state: 'there' | 'perhaps' | 'untold' | 'written';
}

/** What is too long or too deep runs no file here: the analysis asks about it as a whole. */
export function filesRun(command: string): readonly RunFile[] {
  const text = command.replaceAll(UNKNOWN, '?');
  if (tooMuch(text) !== undefined) return [];
  const commands = commandsIn(text);
  if (commands === undefined) return [{ path: '?', state: 'untold' }];
  const written = new Set(commands.flatMap(each => writtenBy(each).map(path => locate(path, each.cwd))));
  const files = commands.flatMap(each =>
    ranBy(each).map(({ path, ...rest }): RunFile => {
      const isWritten = written.has(locate(path, each.cwd));
      const place = placed(path, each.cwd);
      const isUntold = isUnknown(place) || /[*?[]/.test(path);
      return { ...rest, path: place, ...(isUntold ? UNTOLD : isWritten ? WRITTEN : {}) };
    }),
  );
  return [...new Map(files.map(file => [file.path, file])).values()];
}

const UNTOLD = { state: 'untold' } as const;
const WRITTEN = { state: 'written' } as const;

/** Undefined when it could not be taken apart. */
function commandsIn(text: string): readonly SimpleCommand[] | undefined {
  const walk = newWalk();
  try {
    walkText(text, { walk, scope: newScope(), source: text, via: [], depth: 0, run: walkText });
  } catch {
    return undefined; // whatever went wrong in there, the answer must be to ask
  }
  return walk.commands;
}

function ranBy(command: SimpleCommand): RunFile[] {
  const { path, program, via, args } = command;
  if (via.at(-1) === 'python -m') return moduleFiles(program);
  const own: RunFile[] = path.includes('/') ? [{ path, state: 'there' }] : builtBy(program, args);
  const inner = innerOf(command).flatMap((each): RunFile[] => {
    if (each.kind !== 'file' && each.kind !== 'input') return [];
    const files = each.kind === 'file' ? named(each.path, command) : fedTo(command);
    return files.map(file => ({ path: file, language: each.as, state: 'there' }));
  });
  // `node -r ./x`, `--import ./x`, `--loader ./x` run it before the program.
  const before = args.filter(
    (arg, at) => arg.startsWith('.') && /^-(?:r|-require|-import|-loader)$/.test(args[at - 1] ?? ''),
  );
  return [...own, ...inner, ...before.map((file): RunFile => ({ path: file, state: 'there' }))];
}

/** What a program runs that finds its rules by their name. Its language is its own, so only whether it is new matters. */
const RULES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^g?make$/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/^just$/, ['justfile', 'Justfile']],
  [/^task$/, ['Taskfile.yml']],
  [/^rake$/, ['Rakefile']],
  [/^(?:npm|yarn|pnpm|bun)$/, ['package.json']],
  [/^(?:pytest|py\.test)$/, ['conftest.py']],
  [/^cargo$/, ['build.rs']],
  [/^gradlew?$/, ['build.gradle', 'build.gradle.kts']],
];

function builtBy(program: string, args: readonly string[]): RunFile[] {
  const names = RULES.find(([programs]) => programs.test(program))?.[1] ?? [];
  const given = names.length > 0 ? flagValues({ args }, 'f', 'file', 'makefile', 'justfile', 'rakefile') : [];
  const folder = names.length > 0 ? flagValues({ args }, 'C', 'directory')[0] : undefined;
  return (given.length > 0 ? given : names).map(name => ({
    path: folder === undefined ? name : `${folder}/${name}`,
    rules: true,
    state: 'perhaps',
  }));
}

/** `python -m a.b` runs `a/b.py` of the folder it is started in, if there is one. */
function moduleFiles(module: string): RunFile[] {
  const path = module.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`].map(file => ({
    path: file,
    language: 'python',
    state: 'perhaps',
  }));
}

/** `sh <(cat x)` names no file, but what is shown in there is run. */
function named(path: string, { substituted }: SimpleCommand): string[] {
  if (path.startsWith('/dev/fd/')) return substituted.flatMap(readBy);
  return /^https?:/.test(path) ? [] : [path];
}

/** The files that come out of its standard input. */
function fedTo({ redirections, input }: SimpleCommand): string[] {
  if (input?.text !== undefined) return [];
  const own = redirections.flatMap(({ operator, target }) => (operator === '<' ? [target] : []));
  return [...own, ...(input?.sources ?? []).flatMap(readBy)].filter(path => !/^\/dev\/|^-?$/.test(path));
}

function placed(path: string, cwd: string): string {
  return /^[~/]/.test(path) || cwd === '.' ? path : `${cwd}/${path}`;
}
