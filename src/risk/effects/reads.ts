// The files whose content a command shows, copies or sends.
import { flagValues, hasFlag, operands, type SimpleCommand } from '../command.ts';
import { sedScripts } from '../unwrap/sed-script.ts';

const SHOWS = new Set(
  'cat tac nl less more most head tail bat batcat view strings xxd hexdump od base64 base32 gbase64 rev sort uniq cut paste fold fmt column expand tee pr zcat gunzip unzip gzip bzip2 xz zip tar 7z cp mv install rsync scp sftp ln dd openssl diff cmp comm jq yq vi vim nano emacs ed pico micro code curl wget nc ncat socat shuf split csplit iconv dos2unix tr mail mutt sendmail gpg uuencode pbcopy xclip xsel wl-copy sponge ditto python perl readarray sha256sum'.split(
    ' ',
  ),
);
/** Their flags name a key to log in with, not one to show. */
const COPIERS = new Set(['scp', 'sftp', 'rsync']);
const SEARCHES = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'zgrep',
  'sed',
  'gsed',
  'awk',
  'gawk',
  'mawk',
]);
const SENDING_FLAGS = [
  'd',
  'data',
  'data-binary',
  'data-raw',
  'data-ascii',
  'data-urlencode',
  'F',
  'form',
  'T',
  'upload-file',
  'post-file',
  'body-file',
  'K',
  'config',
  'json',
];

/** What is run is read; a database is a file. */
const firstOperand = (command: SimpleCommand): string[] => operands(command).slice(0, 1);
const READERS: Readonly<Record<string, (command: SimpleCommand) => readonly string[]>> = {
  source: firstOperand,
  '.': firstOperand,
  sqlite3: firstOperand,
  // The names of what it packs come in.
  cpio: ({ input }) => input?.text?.split('\n').filter(line => line !== '') ?? [],
  debugfs: command => operands(command, ['R', 'f', 'b', 's']),
  xargs: command => flagValues(command, 'a', 'arg-file'),
  gxargs: command => flagValues(command, 'a', 'arg-file'),
  git: outsideGit,
  bash: command => (hasFlag(command, 'c') ? [] : firstOperand(command)),
  sh: command => (hasFlag(command, 'c') ? [] : firstOperand(command)),
};

/** As written, not yet located. */
export function readBy(command: SimpleCommand): string[] {
  const { program, redirections, args } = command;
  const fed = redirections.flatMap(({ operator, target }) =>
    operator === '<' || operator === '<>' ? [target] : [],
  );
  return [
    ...fed,
    ...operandsRead(command),
    ...(program === 'dd' ? args.flatMap(arg => (arg.startsWith('if=') ? [arg.slice(3)] : [])) : []),
  ];
}

function operandsRead(command: SimpleCommand): string[] {
  const { program } = command;
  if (program === 'wget') return [...sentBy(command), ...flagValues(command, 'i', 'input-file')];
  if (program === 'curl' || program === 'http' || program === 'https') return sentBy(command);
  if (SEARCHES.has(program)) return searched(command);
  if (program === 'openssl') return flagValues(command, 'in');
  const reader = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  if (reader) return [...reader(command)];
  // `ln` reads nothing, but what it links can be read by another name from then on.
  return SHOWS.has(program)
    ? operands(command, COPIERS.has(program) ? ['i', 'P', 'F', 'S', 'l', 'o', 'c', 'e', 'J'] : [])
    : [];
}

/** The first operand is what to look for, unless a flag says that. */
function searched(command: SimpleCommand): string[] {
  const scripts = flagValues(command, 'f', 'file');
  const isGiven = scripts.length > 0 || flagValues(command, 'e', 'regexp', 'expression').length > 0;
  const files = operands(command, ['e', 'f', 'A', 'B', 'C', 'm', 'F', 'v']).slice(isGiven ? 0 : 1);
  const read = [...files, ...scripts];
  return /^g?sed$/.test(command.program) ? [...read, ...sedScripts(command).reads] : read;
}

/** `git grep` and `git diff` read any file, when told to. */
function outsideGit(command: SimpleCommand): string[] {
  const [verb, ...rest] = command.args;
  const isFree = (verb === 'grep' || verb === 'diff') && hasFlag(command, 'no-index');
  return isFree ? rest.filter(arg => !arg.startsWith('-')) : [];
}

/** Files that a web client sends: `-d @x`, `-F f=@x`, `-T x`, `--post-file=x`, `x@file` of httpie, `file://`. */
export function sentBy(command: SimpleCommand): string[] {
  const marked = flagValues(command, ...SENDING_FLAGS).flatMap(
    value => /(?:^|[=;])[@<]([^;,]+)/.exec(value)?.[1] ?? [],
  );
  const whole = flagValues(command, 'T', 'upload-file', 'post-file', 'body-file', 'K', 'config');
  const named = flagValues(command, 'data-urlencode').flatMap(value => /^[\w-]+@(.+)/.exec(value)?.[1] ?? []);
  const local = command.args.flatMap(arg => /^file:\/\/(.+)$/.exec(arg)?.[1] ?? []);
  const httpie = command.program.startsWith('http')
    ? command.args.flatMap(arg => /^[\w.-]+:?=?@(.+)$/.exec(arg)?.[1] ?? [])
    : [];
  return [...marked, ...named, ...whole, ...local, ...httpie];
}
