// The languages of programs: what is put into the sandbox for one, what runs it, and how it is found there.
import { readFileSync } from 'node:fs';
import { shellQuote } from '../base/shell-quote.ts';
import { javascriptModule } from './javascript-module.ts';
import type { OfferedTool } from './offered-tools.ts';
import { pythonModule } from './python-module.ts';

export const languageNames = ['python', 'javascript'] as const;
export type LanguageName = (typeof languageNames)[number];

/** By their paths below the program's folder. */
export type ProgramFiles = Readonly<Record<string, string>>;

export interface Language {
  readonly title: string;
  /** Bash that sets `program` to the interpreter's path, or to nothing. */
  readonly find: string;
  /** What to do where there is none. */
  readonly missing: string;
  files(code: string, tools: readonly OfferedTool[]): ProgramFiles;
  /** The command that runs the program of this folder, in the folder where the session stands. */
  command(program: string, folder: string): string;
}

/** A folder of its own for what Python runs when it starts. */
const START = 'start';

export const languages: Readonly<Record<LanguageName, Language>> = {
  python: {
    title: 'Python',
    // `python` alone may be the second one.
    find: `program=$(type -P python3) || { program=$(type -P python) && "$program" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; } || program=`,
    missing:
      'There is no Python 3 in this sandbox (neither python3 nor python). Do the work with terminal, in javascript if node is there, or ask the operator for an image that has Python.',
    files: (code, tools) => ({
      'script.py': code,
      'hermes_tools.py': pythonModule(tools),
      [`${START}/sitecustomize.py`]: readFileSync(
        new URL('./client/sitecustomize.py', import.meta.url),
        'utf8',
      ),
    }),
    // Unbuffered, so that nothing printed is lost when it is ended. Modules of the session's folder can be imported, and none
    // of them in the place of one that Python brings: what somebody has agreed to is the program, and not them.
    command: (program, folder) =>
      `HERMES_PYTHONPATH=\${PYTHONPATH-} PYTHONPATH=${shellQuote(`${folder}/${START}`)} ${shellQuote(program)} -u -X utf8 ${shellQuote(`${folder}/script.py`)}`,
  },
  javascript: {
    title: 'JavaScript',
    find: 'program=$(type -P node)',
    missing:
      'There is no node in this sandbox, so it cannot run JavaScript. Use python, do the work with terminal, or ask the operator for an image that has node.',
    files: (code, tools) => ({ 'script.mjs': code, ...javascriptModule(tools) }),
    command: (program, folder) =>
      `NODE_PATH=${shellQuote(`${folder}/node_modules`)}\${NODE_PATH:+:$NODE_PATH} ${shellQuote(program)} -r ${shellQuote(`${folder}/prelude.cjs`)} ${shellQuote(`${folder}/script.mjs`)}`,
  },
};
