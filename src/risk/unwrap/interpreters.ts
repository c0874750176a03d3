// Shells and other languages: code in a flag, in a file, or on standard input.
import { flagValues, operands, type SimpleCommand } from '../command.ts';
import type { Given, Inner, Language } from './inner.ts';

const SHELLS = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'ksh93',
  'mksh',
  'ash',
  'fish',
  'rbash',
  'csh',
  'tcsh',
  'yash',
  'pwsh',
  'iex',
  'Invoke-Expression',
  'powershell',
  'git-shell',
]);

function isShell(program: string): boolean {
  return SHELLS.has(program) || /^(?:ba|z|da|k)?sh-?\d[\d.]*$/.test(program);
}

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:i?python|pypy|jython|micropython|bpython)[\d.]*w?$/, 'python'],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node|qjs|d8)\d*$/, 'javascript'],
  [/^perl[\d.]*$/, 'perl'],
  [/^(?:j|t)?ruby[\d.]*$|^irb$|^julia$/, 'ruby'],
  [/^php[\d.]*(?:-cli)?$/, 'php'],
  [/^lua(?:jit)?[\d.]*$/, 'lua'],
  [/^(?:Rscript|R|groovy|elixir|scala|tclsh[\d.]*|erl|ghc|octave(?:-cli)?|swipl|jshell|kotlin)$/, 'r'],
  [/^(?:guile[\d.]*|racket|clojure|clj|bb|sbcl|ecl|clisp|gosh|csi|chibi-scheme|janet|newlisp)$/, 'lisp'],
  [/^osascript$/, 'applescript'],
];

/** One pattern for all, so that most programs cost one test. */
const ANY_LANGUAGE = new RegExp(LANGUAGES.map(([pattern]) => `(?:${pattern.source})`).join('|'));

export function languageOf(program: string): Language | undefined {
  if (!ANY_LANGUAGE.test(program)) return undefined;
  return LANGUAGES.find(([pattern]) => pattern.test(program))?.[1];
}

export function interpreted(command: SimpleCommand): Inner[] {
  if (isShell(command.program)) return byShell(command);
  const language = languageOf(command.program);
  return language ? byLanguage(command, language) : [];
}

const SHELL_VALUED = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file', '-ExecutionPolicy', '-ep']);

function byShell({ program, args }: SimpleCommand): Inner[] {
  const via = `${program} -c`;
  const given = (positional: readonly string[]): Given => ({ zero: program, positional });
  const input = (positional: readonly string[]): Inner[] => [
    { kind: 'input', as: 'shell', via: program, given: given(positional) },
  ];
  const file = (path: string, positional: readonly string[]): Inner[] => [
    { kind: 'file', path, as: 'shell', via: program, given: given(positional) },
  ];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const rest = args.slice(at + 1);
    if (SHELL_VALUED.has(arg)) at++;
    else if (/^-(?:e|ec|enc|encodedcommand)$/i.test(arg) && /^p(?:wsh|owershell)$/.test(program))
      return [{ kind: 'code', language: 'r', text: 'eval(hidden)', via }];
    else if (/^-[A-Za-z]*c$/.test(arg) || /^-{1,2}(?:command|c)$/i.test(arg))
      return scriptAfter(rest, { program, via });
    else if (/^--command=/.test(arg)) return [{ kind: 'script', text: arg.slice(10), via }];
    else if (/^-[A-Za-z]*s$/.test(arg)) return input(rest.filter(word => word !== '--'));
    else if (arg === '-' || arg === '/dev/stdin') return input(rest);
    else if (arg === '--') return rest[0] === undefined ? input([]) : file(rest[0], rest.slice(1));
    else if (!/^[-+]/.test(arg)) return file(arg, rest);
  }
  return args.some(arg => /^--(?:version|help)$/.test(arg)) ? [] : input([]);
}

/** After `-c` further flags may come, then the script, then `$0` and the parameters. */
function scriptAfter(args: readonly string[], { program, via }: { program: string; via: string }): Inner[] {
  const start = args.findIndex(arg => !/^-[A-Za-z-]/.test(arg) || / /.test(arg));
  if (start === -1) return [];
  const rest = args[start] === '--' ? args.slice(start + 1) : args.slice(start);
  const [text, zero = program, ...positional] = rest;
  return text === undefined ? [] : [{ kind: 'script', text, via, given: { zero, positional } }];
}

/** The flag that is followed by code, alone or at the end of a cluster, and the code when it is attached. */
const CODE_FLAGS: Readonly<Record<Language, RegExp>> = {
  python: /^-[BdEhiIOqsSuvVx]*c(.*)$/s,
  javascript: /^(?:-[pe]+|--eval|--print|eval)(?:=(.*))?$/s,
  perl: /^-(?:[a-zA-Z0-9]*[0-9a-zA-Z.]*)?[eE]$|^-[nplaws0]*[eE](.+)$/s,
  ruby: /^-[a-zA-Z0-9.]*e$|^-e(.+)$/s,
  php: /^-r(.*)$|^--run$|^-[BER]$/s,
  lua: /^-e(.*)$/s,
  r: /^-eval$|^--eval(?:=(.*))?$|^-[eEg](.*)$/s,
  lisp: /^-?-eval(?:=(.*))?$|^-[cex](.*)$/s,
  awk: /^$/,
  applescript: /^-e(.*)$/s,
};
/** Flags whose value is no file to run. */
const CODE_VALUED = /^-(?:W|X|Q|-require|r|-import|-loader|I|M|m|d|S|C|-conditions|-env-file|-inspect-port)$/;

function byLanguage({ program, args }: SimpleCommand, language: Language): Inner[] {
  const via = `${program}, inline`;
  const code: Inner[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const match = CODE_FLAGS[language].exec(arg);
    if (match) {
      const attached = match.slice(1).find(group => group !== undefined && group !== '');
      const text = attached ?? args[++at];
      if (text !== undefined) code.push({ kind: 'code', language, text, via });
      if (language === 'python') return code;
    } else if (language === 'python' && arg === '-m') return moduleRun(args.slice(at + 1));
    else if (arg === '-' || arg === '/dev/stdin') return [{ kind: 'input', as: language, via: program }];
    else if (CODE_VALUED.test(arg)) at++;
    else if (arg === '--version' || arg === '-V' || arg === '-v' || arg === '--help') return code;
    else if (!arg.startsWith('-')) return code.length > 0 ? code : fileRun(program, args.slice(at), language);
  }
  return code.length > 0 ? code : [{ kind: 'input', as: language, via: program }];
}

function fileRun(program: string, args: readonly string[], language: Language): Inner[] {
  // `deno run file`, `bun run script`, `bun install` have a word of their own first.
  const isRun = /^(?:deno|bun)$/.test(program) && args[0] === 'run';
  const path = isRun ? args.slice(1).find(arg => !arg.startsWith('-')) : args[0];
  if (path === undefined) return [];
  const own: Inner[] = /(?:^|\/)hermes(?:\.js)?$/.test(path)
    ? [{ kind: 'argv', argv: [path, ...args.slice(1)], via: program }]
    : [];
  return [...own, { kind: 'file', path, as: language, via: program }];
}

/** `python -m pip …` is pip; some modules run code or a file themselves. */
function moduleRun([module, ...args]: readonly string[]): Inner[] {
  const via = `python -m ${module}`;
  const code = (texts: readonly string[]): Inner[] =>
    texts.map(text => ({ kind: 'code', language: 'python', text, via }));
  if (module === 'timeit') {
    // Names of the setup are used in what is measured.
    const texts = [
      ...flagValues({ args }, 's', 'setup'),
      ...operands({ args }, ['n', 'r', 's', 'u', 'number']),
    ];
    return code([texts.join('\n')]);
  }
  if (/^(?:pdb|trace|cProfile|profile|runpy|memory_profiler|kernprof|coverage|idlelib)$/.test(module ?? '')) {
    const [path] = operands({ args }, ['c', 'o', 's', 'm', 'f', 'C']).filter(word => word !== 'run');
    const file: Inner[] = path === undefined ? [] : [{ kind: 'file', path, as: 'python', via }];
    return [...code(flagValues({ args }, 'c')), ...file];
  }
  return module === undefined ? [] : [{ kind: 'argv', argv: [module, ...args], via: 'python -m' }];
}
