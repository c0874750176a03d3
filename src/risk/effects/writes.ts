// The files that a command writes, by its words alone.
import { flagValues, hasFlag, operands, type SimpleCommand, UNKNOWN } from '../command.ts';
import { sedScripts } from '../unwrap/sed-script.ts';

type Reader = (command: SimpleCommand) => readonly (string | undefined)[];

/** As written, not yet located. */
export function writtenBy(command: SimpleCommand): string[] {
  const reader = Object.hasOwn(READERS, command.program) ? READERS[command.program] : undefined;
  const own = reader?.(command) ?? named(command);
  return [...redirected(command), ...own.filter(path => path !== undefined)];
}

/** Of programs that are not listed below: what a flag names that usually means the output, where it is no word of the work. */
function named(command: SimpleCommand): string[] {
  if (!command.args.some(arg => /^(?:-o|--out[\w-]*=)?[~/]/.test(arg))) return [];
  return flagValues(command, 'o', 'output', 'output-dir', 'outdir', 'outfile', 'out', 'output-file').filter(
    path => /^[~/]/.test(path),
  );
}

function redirected({ redirections }: SimpleCommand): string[] {
  return redirections.flatMap(({ operator, target }) =>
    /^(?:>|>>|>\||&>|&>>|<>|>&)$/.test(operator) && !/^[\d-]+$/.test(target) ? [target] : [],
  );
}

/** The last word, or the folder of `-t`. */
const destination: Reader = command => {
  const given = flagValues(command, 't', 'target-directory');
  if (given.length > 0) return given;
  const words = operands(command, [
    'S',
    'm',
    'o',
    'g',
    'P',
    'i',
    'F',
    'l',
    'c',
    'e',
    'b',
    'suffix',
    'mode',
    'owner',
    'group',
    'rsh',
    'exclude',
    'include',
    'bwlimit',
  ]);
  const last = words.at(-1);
  if (words.length < 2 || last === undefined) return [];
  // Into a folder, a file keeps its name; both are meant, since the text does not say which it is.
  const names = words.slice(0, -1).map(word => word.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '');
  return [last, ...names.map(name => `${last}/${name}`)];
};

const inPlace: Reader = command => {
  if (!hasFlag(command, 'i', 'in-place') && !command.args.some(arg => /^-[a-z]*i/.test(arg))) return [];
  const words = operands(command, ['e', 'f', 'expression', 'file', 'l']);
  const hasScript = command.args.some(arg => /^(?:-[a-zA-Z0-9]*[ef]|--expression|--file)/.test(arg));
  return command.program === 'sed' || command.program === 'gsed' ? words.slice(hasScript ? 0 : 1) : words;
};

const anyOperand: Reader = command => operands(command, ['s', 'size', 'r', 'reference', 'd', 'm', 't']);

const extractsTo: Reader = command => [
  ...flagValues(command, 'C', 'directory', 'd', 'o'),
  // Then the archive says where, and may say anything.
  ...(hasFlag(command, 'P', 'absolute-names') || /^[a-zA-Z]*P/.test(command.args[0] ?? '') ? ['/'] : []),
];

const found: Reader = ({ args }) =>
  args.flatMap((arg, at) => (/^-f(?:print0?|printf|ls)$/.test(arg) ? (args[at + 1] ?? []) : []));

/** `docker cp box:/a /etc`; into a container it writes nothing here. */
const fromContainer: Reader = ({ args }) => {
  const at = args.indexOf('cp');
  const [from = '', to = ''] = at === -1 ? [] : operands({ args: args.slice(at + 1) });
  return /^[^/.~][^/]*:/.test(from) && to !== '-' && !/^[^/.~][^/]*:/.test(to)
    ? [to, `${to}/${from.replace(/\/+$/, '').split(/[/:]/).at(-1)}`]
    : [];
};

const READERS: Readonly<Record<string, Reader>> = {
  tee: command => operands(command),
  sponge: command => operands(command),
  cp: destination,
  gcp: destination,
  mv: destination,
  install: destination,
  ln: destination,
  link: destination,
  rsync: destination,
  scp: destination,
  ditto: destination,
  dd: ({ args }) => args.flatMap(arg => (arg.startsWith('of=') ? [arg.slice(3)] : [])),
  dcfldd: ({ args }) => args.flatMap(arg => (arg.startsWith('of=') ? [arg.slice(3)] : [])),
  sed: command => [...inPlace(command), ...sedScripts(command).writes],
  gsed: command => [...inPlace(command), ...sedScripts(command).writes],
  perl: inPlace,
  ruby: inPlace,
  truncate: anyOperand,
  touch: anyOperand,
  fallocate: command => operands(command, ['l', 'o', 'length', 'offset']),
  ed: command => operands(command, ['p']),
  vi: anyOperand,
  vim: anyOperand,
  nvim: anyOperand,
  nano: anyOperand,
  pico: anyOperand,
  emacs: anyOperand,
  ex: command => operands(command, ['c']),
  patch: command => [
    ...operands(command, ['p', 'i', 'd', 'o']).slice(0, 1),
    ...flagValues(command, 'd', 'directory'),
  ],
  sort: command => flagValues(command, 'o', 'output'),
  curl: command => [
    ...flagValues(command, 'o', 'output'),
    ...(hasFlag(command, 'O', 'remote-name') ? [remoteName(command) ?? UNKNOWN] : []),
    ...(hasFlag(command, 'J', 'remote-header-name') ? [UNKNOWN] : []),
    ...flagValues(command, 'w', 'write-out').flatMap(format =>
      [...format.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, path]) => path),
    ),
  ],
  npm: ({ args }) => (args[0] === 'pkg' && args[1] !== 'get' ? ['package.json'] : []),
  wget: command => {
    const given = [
      ...flagValues(command, 'O', 'output-document'),
      ...flagValues(command, 'P', 'directory-prefix'),
    ];
    return given.length > 0 ? given.filter(path => path !== '-') : [remoteName(command)];
  },
  git: command => [
    ...flagValues(command, 'output', 'output-directory', 'o').filter(path => /^[~/]/.test(path)),
    ...(command.args[0] === 'bundle' ? operands(command).slice(2, 3) : []),
  ],
  ffmpeg: command => operands(command).slice(-1),
  convert: command => operands(command).slice(-1),
  magick: command => operands(command).slice(-1),
  uniq: command => operands(command, ['f', 's', 'w']).slice(1),
  aria2c: command => [...flagValues(command, 'o', 'out', 'd', 'dir'), remoteName(command)],
  tar: command => {
    const [first = '', second] = command.args;
    if (hasFlag(command, 'x', 'extract', 'get') || /^[a-zA-Z]*x/.test(first)) return extractsTo(command);
    if (!hasFlag(command, 'c', 'r', 'u', 'create', 'append', 'delete') && !/^[a-zA-Z]*[cru]/.test(first))
      return [];
    return [...flagValues(command, 'f', 'file'), ...(/^[a-zA-Z]*f$/.test(first) ? [second] : [])];
  },
  bsdtar: extractsTo,
  unzip: command => flagValues(command, 'd'),
  '7z': ({ args }) => args.flatMap(arg => (/^-o./.test(arg) ? [arg.slice(2)] : [])),
  cpio: command => flagValues(command, 'D'),
  openssl: command => flagValues(command, 'out'),
  gpg: command => flagValues(command, 'o', 'output'),
  'ssh-keygen': command => (hasFlag(command, 'y', 'l', 'F') ? [] : flagValues(command, 'f')),
  crudini: ({ args }) => (args.includes('--set') ? [args[args.indexOf('--set') + 1]] : []),
  xxd: command => operands(command).slice(1),
  base64: command => flagValues(command, 'o', 'output'),
  find: found,
  gfind: found,
  docker: fromContainer,
  podman: fromContainer,
  nerdctl: fromContainer,
  kubectl: fromContainer,
  split: command =>
    operands(command, [...'abClnt', 'bytes', 'lines', 'number', 'filter', 'suffix-length']).slice(1),
  csplit: command => flagValues(command, 'f', 'prefix'),
  dos2unix: command => operands(command),
  unix2dos: command => operands(command),
  rename: command => operands(command),
  prename: command => operands(command),
  'file-rename': command => operands(command),
  mmv: command => operands(command),
  debugfs: command => (hasFlag(command, 'w') ? operands(command, ['R', 'f', 'b', 's']) : []),
  chattr: command => operands(command).slice(1),
};

const CURL_VALUED = [...'HXduAemxbcFT'];
const WGET_VALUED = [...'OPUoaBtTwQ'];

function remoteName(command: SimpleCommand): string | undefined {
  const valued = command.program === 'curl' ? CURL_VALUED : WGET_VALUED;
  const url = operands(command, valued).find(word => /^https?:|\//.test(word));
  const name = url
    ?.replace(/[?#].*$/, '')
    .replace(/^\w+:\/\//, '')
    .split('/')
    .slice(1)
    .at(-1);
  return name === '' ? undefined : name;
}
