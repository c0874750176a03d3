// Shells and other languages among the known programs: with these flags, on code that is looked at or on a file of the work.
import { isUnknown } from '../command.ts';
import { readBy } from '../effects/reads.ts';
import type { Judged } from '../rules/rule.ts';
import { descriptorOf } from '../shell/redirections.ts';
import type { Language } from '../unwrap/inner.ts';
import { languageOf } from '../unwrap/interpreters.ts';
import { innerOf } from '../unwrap/unwrap.ts';
import { only, type Shape } from './shape.ts';
import { lies } from './whereabouts.ts';

const SHELL = /^(?:ba|da|z|k|mk|fi|a)?sh$/;
const shellFlags = only('c:eEuxvnlisfhkmpto:O:', 'login norc noprofile posix version help verbose norc');
/** `-m` is another program, and its words are its own. */
const LANGUAGE_FLAGS: Readonly<Partial<Record<Language, Shape>>> = {
  python: only('BEIOsSuvVxqhW:X:c:m:', 'version help'),
  javascript: only(
    'e:p:r:ivhc',
    'eval print require import loader test test-only test-name-pattern test-reporter test-timeout test-concurrency experimental-test-coverage check watch watch-path inspect inspect-brk max-old-space-size enable-source-maps no-warnings trace-warnings trace-deprecation trace-uncaught version help experimental-strip-types experimental-transform-types experimental-vm-modules no-deprecation stack-trace-limit expose-gc prof input-type env-file env-file-if-exists permission run unhandled-rejections conditions hot smol allow-read allow-net allow-env lock check no-check frozen reload',
  ),
  perl: only('nplawsce:E:i0#F:vWtTh', 'version help'),
  ruby: only('nplawce:E:i0#F:vWh', 'version help eval project'),
  php: only('r:lvimnqsf:h', 'version info modules run'),
  lua: only('e:vi-'),
  r: only('e:qg:', 'eval version help vanilla slave no-save quiet silent no-restore', 'e eval'),
  lisp: only('e:c:x:', 'eval version help', 'e'),
  applescript: only('e:l:'),
};

/** Undefined when it is no interpreter. */
export function isKnownInterpreter(command: Judged): boolean | undefined {
  const { program, args } = command;
  const isShell = SHELL.test(program.replace(/-?\d[\d.]*$/, ''));
  const language = languageOf(program);
  if (!isShell && !language) return undefined;
  if (/^(?:deno|bun)$/.test(program)) return byVerb(command);
  const flags = isShell ? shellFlags : language ? LANGUAGE_FLAGS[language] : undefined;
  const own = ownWords(args);
  if (!flags?.(own, command)) return false;
  // Perl opens a word that ends with a bar as a command.
  if (language === 'perl' && args.some(arg => /^\s*\||\|\s*$/.test(arg) && !own.includes(arg))) return false;
  return !isFrameworkCode(args) && filesOf(command).every(path => isOfTheWork(path, command));
}

/** `deno task dev`, `bun test`, `bun x.ts`; what is fetched and run, and code, is not known. */
function byVerb(command: Judged): boolean {
  const [verb = '', ...rest] = command.args.filter(arg => !arg.startsWith('-'));
  if (/^(?:x|create|eval|repl|exec|-e|-p)$/.test(verb)) return false;
  const file = verb === 'run' ? rest[0] : /[./]/.test(verb) ? verb : undefined;
  return file === undefined || isOfTheWork(file, command);
}

/** `manage.py shell -c`, `artisan tinker --execute`: a file of the work that runs code from its words. */
function isFrameworkCode(args: readonly string[]): boolean {
  const at = args.findIndex(arg =>
    /(?:^|\/)(?:manage\.py|artisan|console|rails|rake|odoo-bin|wp)$/.test(arg),
  );
  return at !== -1 && args.slice(at).some(arg => /[(;`]/.test(arg));
}

/** Up to the code, the module or the file; what follows is for those. */
function ownWords(args: readonly string[]): readonly string[] {
  const at = args.findIndex(
    (arg, index) => /^-[A-Za-z]*[cm]$/.test(args[index - 1] ?? '') || !/^[-+]/.test(arg),
  );
  const isCode = at > 0 && /^-[A-Za-z0-9]*[ceEprm]$/.test(args[at - 1] ?? '');
  return args.slice(0, at === -1 ? undefined : isCode ? at + 1 : at);
}

/** What it runs: files that are named, and those that come in. */
function filesOf(command: Judged): readonly string[] {
  const { redirections, input } = command;
  return (command.inner ?? innerOf(command)).flatMap(inner => {
    if (inner.kind === 'file') return [inner.path];
    if (inner.kind !== 'input' || input?.text !== undefined) return [];
    const fed = redirections.flatMap(({ operator, target }) => (operator === '<' ? [target] : []));
    return [...fed, ...(input?.sources ?? []).flatMap(readBy)].filter(
      path => path !== '-' && path !== '/dev/null',
    );
  });
}

function isOfTheWork(path: string, { locate, opened }: Judged): boolean {
  if (isUnknown(path)) return true; // a gap of its own
  const isStream = descriptorOf(path) !== undefined || path.startsWith('/dev/fd/');
  const { inside, installed } = lies(path, { locate });
  return isStream || inside || installed || opened !== undefined;
}
