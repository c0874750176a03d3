// Programs that run a command given inside one of their own arguments: eval, trap, awk, sed, tar, vim, git, rsync, …
import { flagValues, hasFlag, operands, type SimpleCommand, UNKNOWN } from '../command.ts';
import type { Inner } from './inner.ts';

type Reader = (command: SimpleCommand) => Inner[];

export function embedded(command: SimpleCommand): Inner[] {
  const reader = READERS[command.program];
  return Object.hasOwn(READERS, command.program) && reader ? reader(command) : [];
}

function scripts(via: string, texts: readonly (string | undefined)[]): Inner[] {
  return texts.flatMap(text =>
    text === undefined || text.trim() === '' ? [] : [{ kind: 'script', text, via }],
  );
}

const sourced: Reader = ({ program, args }) =>
  args[0] === undefined
    ? []
    : /^\/dev\/(?:stdin|fd\/0)$/.test(args[0])
      ? [{ kind: 'input', as: 'shell', via: program }]
      : [{ kind: 'file', path: args[0], as: 'shell', via: program }];

const awk: Reader = command => {
  const [text] = hasFlag(command, 'f', 'file')
    ? flagValues(command, 'e', 'source')
    : operands(command, ['F', 'v', 'W', 'm']);
  return text === undefined ? [] : [{ kind: 'code', language: 'awk', text, via: command.program }];
};

/** GNU sed runs what follows `e`, and the pattern space with the flag `e` of `s`. */
const sed: Reader = command => {
  const given = flagValues(command, 'e', 'expression');
  const programs = given.length > 0 ? given : operands(command, ['e', 'f', 'l']).slice(0, 1);
  return scripts('sed', programs.flatMap(sedRuns));
};

const MAX_SED = 2_000;

function sedRuns(text: string): (string | undefined)[] {
  if (text.length > MAX_SED)
    return [/\de\s|e\s*$|[;\n]\s*e/.test(text.slice(-MAX_SED)) ? UNKNOWN : undefined];
  const substitutions = text.split(/[;\n]/).map(part => {
    const plain = part.trimStart();
    const [, , replacement, flags] = plain.startsWith('s') ? plain.slice(1).split(plain[1] ?? '/') : [];
    return flags?.includes('e') ? replacement : undefined;
  });
  return [
    ...substitutions,
    ...text.split(/[;\n]/).map(part => /^\s*(?:\d+|\$|\/[^/]*\/)?\s*e\s+(.+)/.exec(part)?.[1]),
  ];
}

const tar: Reader = command => {
  const actions = flagValues(command, 'checkpoint-action').map(action => /^exec=(.*)$/s.exec(action)?.[1]);
  return scripts('tar', [
    ...actions.map(action => (/^\s*[\w/]*sh\s*$/.test(action ?? '') ? UNKNOWN : action)),
    ...flagValues(
      command,
      ...['to-command', 'use-compress-program', 'I', 'rmt-command', 'info-script', 'F'],
    ).filter(text => !/^[\w-]+$/.test(text)),
  ]);
};

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

const git: Reader = command => {
  const { args } = command;
  const configured = args.flatMap((arg, at) => (arg === '-c' ? [args[at + 1] ?? ''] : []));
  const inConfig = configured.map(
    text =>
      /^(?:alias\.[^=]+=!|core\.(?:pager|editor|sshcommand|fsmonitor|askpass)=|credential\.helper=!|sequence\.editor=|diff\.external=|pager\.\w+=)(.+)$/is.exec(
        text,
      )?.[1],
  );
  const each =
    args.indexOf('foreach') !== -1
      ? [
          args
            .slice(args.indexOf('foreach') + 1)
            .filter(arg => arg !== '--recursive')
            .join(' '),
        ]
      : [];
  const bisect = args[0] === 'bisect' && args[1] === 'run' ? [args.slice(2).join(' ')] : [];
  const rebase = args[0] === 'rebase' ? flagValues(command, 'x', 'exec') : [];
  const filters =
    args[0] === 'filter-branch'
      ? flagValues(command, 'tree-filter', 'index-filter', 'msg-filter', 'env-filter', 'commit-filter')
      : [];
  const difftool = args.includes('difftool') ? flagValues(command, 'x', 'extcmd') : [];
  return scripts('git', [
    ...inConfig,
    ...each,
    ...bisect,
    ...rebase,
    ...filters,
    ...difftool,
    ...flagValues(command, 'upload-pack', 'receive-pack'),
  ]);
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
  alias: ({ args }) =>
    scripts(
      'alias',
      args.map(arg => /^[^=]+=(.*)$/s.exec(arg)?.[1]),
    ),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed,
  gsed: sed,
  tar,
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
  git,
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
  make: ({ args, input }) => {
    const isFed = args.some(
      (arg, at) =>
        /^(?:-f|--file|--makefile)/.test(arg) &&
        /^(?:-|\/dev\/stdin)$/.test(arg.replace(/^-f(?=-)/, '') === arg ? (args[at + 1] ?? '') : '-'),
    );
    const rules = [...flagValues({ args }, 'eval'), ...(isFed ? [input?.text] : [])];
    return scripts(
      'make',
      rules.flatMap(
        text => text?.split('\n').map(line => line.replace(/^[^\t;]*:(?!=)[^;]*;?/, '').trim()) ?? [],
      ),
    );
  },
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

const RUN_BY_NAME =
  /^(?:PAGER|MANPAGER|GIT_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|BROWSER|PROMPT_COMMAND|LESSOPEN|SUDO_ASKPASS|SSH_ASKPASS)$/;

/** Variables whose value another program runs. */
export function assigned({ assignments }: SimpleCommand): Inner[] {
  return scripts(
    'variable',
    [...assignments].map(([name, value]) => (RUN_BY_NAME.test(name) ? value.replace(/^\|/, '') : undefined)),
  );
}
