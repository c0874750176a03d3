// Programs that run a command given inside one of their own arguments: eval, trap, awk, sed, tar, vim, git, rsync, …
import { flagValues, hasFlag, longFlagValues, operands, type SimpleCommand, UNKNOWN } from '../command.ts';
import { apt, make, sort, split, tar } from './by-flag.ts';
import { byGit } from './by-git.ts';
import { byFlag, type Inner, scripts } from './inner.ts';
import { sedScripts } from './sed-script.ts';

type Reader = (command: SimpleCommand) => Inner[];

export function embedded(command: SimpleCommand): Inner[] {
  const reader = READERS[command.program];
  return Object.hasOwn(READERS, command.program) && reader ? reader(command) : [];
}

const sourced: Reader = ({ program, args }) =>
  args[0] === undefined
    ? []
    : /^\/dev\/(?:stdin|fd\/0)$/.test(args[0])
      ? [{ kind: 'input', as: 'shell', via: program }]
      : [{ kind: 'file', path: args[0], as: 'shell', via: program }];

const awk: Reader = command => {
  const via = command.program;
  const files = flagValues(command, 'f', 'file').map(
    (path): Inner =>
      path === '-' || path === '/dev/stdin'
        ? { kind: 'input', as: 'awk', via }
        : { kind: 'file', path, as: 'awk', via },
  );
  const texts =
    files.length > 0
      ? flagValues(command, 'e', 'source')
      : operands(command, ['F', 'v', 'W', 'm', 'i', 'l']).slice(0, 1);
  return [...files, ...texts.map((text): Inner => ({ kind: 'code', language: 'awk', text, via }))];
};

const sed: Reader = command => scripts('sed', sedScripts(command).runs);

const editor: Reader = command => {
  const commands = [
    ...flagValues(command, 'c', 'cmd', 'ex', 'eval-command', 'eval', 'execute'),
    ...command.args.filter(arg => arg.startsWith('+')),
  ];
  return scripts(
    command.program,
    commands.flatMap(text => [
      /(?:^|[:+|])\s*(?:silent\s+)?!\s*(.+)/.exec(text)?.[1],
      /^(?:shell|!)\s*(.+)/.exec(text)?.[1],
      /system\(['"](.+?)['"]\)/.exec(text)?.[1],
      /shell-command(?:-to-string)?\s+"([^"]+)"/.exec(text)?.[1],
    ]),
  );
};

const TWO_VALUES =
  /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|file|bind-data|ro-bind-data|chmod|perms|size)$/;
const NO_VALUE =
  /^--(?:unshare-\w+|share-net|die-with-parent|new-session|clearenv|as-pid-1|disable-userns|level-prefix)/;

/** Flags of bubblewrap take one word or two; what follows the last is run. */
const inBubble: Reader = ({ args }) => {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('--') && args[at] !== '--'; at++)
    at += TWO_VALUES.test(args[at] ?? '') ? 2 : NO_VALUE.test(args[at] ?? '') ? 0 : 1;
  const argv = args.slice(args[at] === '--' ? at + 1 : at);
  return argv.length > 0 ? [{ kind: 'argv', argv, via: 'bwrap' }] : [];
};

/** Clients of databases have a sign of their own for the shell. */
const sqlShell: Reader = ({ program, args, input }) =>
  scripts(
    program,
    [...args, input?.text ?? '']
      .flatMap(text => text.split(/[;\n]/))
      .map(line => /^\s*(?:\\!|\.shell|\.system|system)\s+(.+)/.exec(line)?.[1]),
  );

const READERS: Readonly<Record<string, Reader>> = {
  eval: ({ args }) => scripts('eval', [args.filter(arg => arg !== '--').join(' ')]),
  source: sourced,
  '.': sourced,
  trap: ({ args }) => (args.length > 1 ? scripts('trap', [args[0] === '--' ? args[1] : args[0]]) : []),
  // What is said behind its name comes later.
  alias: ({ args }) =>
    scripts(
      'alias',
      args.map(arg => /^[^=]+=(.*)$/s.exec(arg)?.[1]).map(text => (text ? `${text} ${UNKNOWN}` : undefined)),
    ),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed,
  gsed: sed,
  tar,
  gtar: tar,
  bsdtar: tar,
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  emacs: editor,
  gdb: editor,
  less: editor,
  more: editor,
  ed: ({ input }) => scripts('ed', input?.text?.split('\n').map(line => /^!(.+)/.exec(line)?.[1]) ?? []),
  git: byGit,
  env: command => scripts('env -S', flagValues(command, 'S', 'split-string')),
  rsync: command =>
    scripts(
      'rsync',
      flagValues(command, 'e', 'rsh', 'rsync-path').filter(text => !/^ssh\b/.test(text)),
    ),
  scp: command => scripts('scp', flagValues(command, 'S')),
  flock: command => scripts('flock', flagValues(command, 'c', 'command')),
  expect: command =>
    scripts(
      'expect',
      flagValues(command, 'c').map(text => /(?:spawn|exec|system)\s+(.+)/.exec(text)?.[1]),
    ),
  npm: ({ args }) =>
    scripts('npm', ['exec', 'x'].includes(args[0] ?? '') ? flagValues({ args }, 'c', 'call') : []),
  npx: command => scripts('npx', flagValues(command, 'c', 'call')),
  nix: command => scripts('nix', flagValues(command, 'command', 'run')),
  'nix-shell': command => scripts('nix-shell', flagValues(command, 'run', 'command')),
  man: command => scripts('man', flagValues(command, 'P', 'pager', 'H', 'html')),
  zip: command => scripts('zip', flagValues(command, 'TT', 'unzip-command')),
  cmd: ({ args }) => scripts('cmd', [args.slice(args.findIndex(arg => /^\/[ck]$/i.test(arg)) + 1).join(' ')]),
  at: command => (command.input ? [{ kind: 'input', as: 'shell', via: 'at' }] : []),
  batch: command => (command.input ? [{ kind: 'input', as: 'shell', via: 'batch' }] : []),
  hyperfine: ({ args }) =>
    scripts(
      'hyperfine',
      args.filter(arg => / /.test(arg)),
    ),
  concurrently: ({ args }) =>
    scripts(
      'concurrently',
      args.filter(arg => / /.test(arg)),
    ),
  make,
  gmake: make,
  apt,
  'apt-get': apt,
  aptitude: apt,
  sort,
  gsort: sort,
  split,
  gsplit: split,
  wget: command => scripts(byFlag('wget'), longFlagValues(command, 'use-askpass')),
  curl: command => scripts(byFlag('curl'), flagValues(command, 'proxy-command')),
  sg: command => scripts('sg', flagValues(command, 'c')),
  pee: ({ args }) => scripts('pee', args),
  bwrap: inBubble,
  'start-stop-daemon': command => {
    const [program] = flagValues(command, 'exec', 'x', 'startas', 'a');
    const dashes = command.args.indexOf('--');
    const rest = dashes === -1 ? [] : command.args.slice(dashes + 1);
    return program === undefined
      ? []
      : [{ kind: 'argv', argv: [program, ...rest], via: 'start-stop-daemon' }];
  },
  // The times stand before the command.
  crontab: ({ input }) =>
    scripts(
      'crontab',
      input?.text?.split('\n').map(line => /^\s*(?:@\w+|(?:[\d*/,A-Za-z-]+\s+){5})\s*(.+)/.exec(line)?.[1]) ??
        [],
    ),
  hash: ({ args }) => {
    const path = args[args.indexOf('-p') + 1];
    return args.includes('-p') && path !== undefined
      ? [{ kind: 'argv', argv: [path, UNKNOWN], via: 'hash' }]
      : [];
  },
  just: ({ args }) =>
    args.includes('--command')
      ? [{ kind: 'argv', argv: args.slice(args.indexOf('--command') + 1), via: 'just' }]
      : [],
  cargo: ({ args }) => scripts('cargo watch', args[0] === 'watch' ? flagValues({ args }, 's', 'shell') : []),
  bpftrace: command => scripts('bpftrace', flagValues(command, 'c')),
  // Its scripts are all that lie in a folder.
  'run-parts': command =>
    hasFlag(command, 'test', 'list', 'help', 'version') || operands(command, ['a', 'u']).length === 0
      ? []
      : [{ kind: 'gap', via: 'run-parts' }],
  // The shell's own input is exchanged: it would go on reading there.
  exec: ({ args, redirections }) =>
    args.length === 0 &&
    redirections.some(({ operator, descriptor }) => operator.startsWith('<') && (descriptor ?? 0) === 0)
      ? [{ kind: 'input', as: 'shell', via: 'exec' }]
      : [],
  capsh: ({ args }) =>
    args.includes('--')
      ? [{ kind: 'argv', argv: ['bash', ...args.slice(args.indexOf('--') + 1)], via: 'capsh' }]
      : [],
  psql: sqlShell,
  mysql: sqlShell,
  mariadb: sqlShell,
  sqlite3: sqlShell,
  nodemon: command => scripts('nodemon', flagValues(command, 'x', 'exec')),
  socat: ({ args }) =>
    scripts(
      'socat',
      args.map(arg => /^(?:exec|system):"?([^,"]+)/i.exec(arg)?.[1]),
    ),
};
