// Words that lead out of the work, for programs of which nobody has said what they do with a word. They may read what lies
// there, write it, or load and run it.
import { isUnknown } from '../command.ts';
import { zoneOf } from '../paths.ts';
import { QUOTED_CODE } from '../quoted-code.ts';
import { isHelp, type Judged, type Rule } from './rule.ts';

/** They only look at what their words name; what may be a secret among it is judged elsewhere. A flag may still write. */
const READERS = new Set(
  `ls dir vdir exa eza lsd tree cat tac nl head tail wc cut paste join comm tr fold fmt expand unexpand column rev pr od hexdump
  hd strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum grep egrep fgrep zgrep rg ag ack
  diff cmp colordiff sdiff vimdiff stat file du df basename dirname realpath readlink cd pushd popd test [ [[ echo printf which
  type command hash source . zcat bzcat xzcat zstdcat less more most bat batcat man view jq yq find gfind fd fdfind locate
  export alias set code subl open xdg-open nvm pyenv rbenv conda ps pgrep lsof fuser systemctl journalctl touch mkdir rmdir`.split(
    /\s+/,
  ),
);
/** Where their words lead is said by the rules about files, connections, containers and clouds. */
const SAID_ELSEWHERE = new Set(
  `cp gcp mv gmv rm grm unlink install rsync scp sftp ssh tee sponge dd sed gsed awk gawk mawk tar gtar bsdtar chmod chown chgrp
  truncate shred docker podman nerdctl kubectl helm aws gcloud az gh crontab vim vi nvim nano emacs`.split(
    /\s+/,
  ),
);
/** A folder to work in, not a file to touch. */
const WORKS_IN = /^(?:-C|--directory|--cwd|--work-dir|--project-dir|--manifest-path)$/;
const WRITES_TO = /^--?(?:o|out|output[\w-]*|log[\w-]*|report[\w-]*)$/;

/** The parts of a word that may be a path: all of it, or what follows `=` or a short flag. */
function pathsIn(arg: string): readonly string[] {
  const value = arg.slice(arg.lastIndexOf('=') + 1);
  const attached = /^-[A-Za-z](?=[~/.])(.*)$/s.exec(arg)?.[1] ?? '';
  const behindKind = arg.replace(/^[a-z]\w*:(?=[~.])/i, '');
  return [...new Set([arg, value, attached, behindKind])].filter(path => /^(?:~|\/|\.\.(?:\/|$))/.test(path));
}

/** In the home folder, which the work is only a part of, or as far above the work. */
const isElsewhere = (path: string): boolean => zoneOf(path) === 'home' || path.startsWith('../..');

function ledElsewhere(command: Judged): readonly string[] {
  const { program, locate } = command;
  if (program === '' || program.startsWith('@') || isUnknown(program)) return [];
  if (command.isDefined || isHelp(command)) return [];
  return wordsOf(command).flatMap(pathsIn).map(locate).filter(isElsewhere);
}

function wordsOf({ program, args, assignments }: Judged): readonly string[] {
  const variables = [...assignments].flatMap(([name, value]) => (name === 'PATH' ? [] : value));
  // All that is in the folder goes into the image.
  const isBuild = /^(?:docker|podman|nerdctl)$/.test(program) && args.includes('build');
  if (SAID_ELSEWHERE.has(program) && !isBuild) return variables;
  const isReader = READERS.has(program);
  const words = args.filter((arg, at) => {
    const before = args[at - 1] ?? '';
    return isReader
      ? WRITES_TO.test(before) || WRITES_TO.test(arg.split('=', 1)[0] ?? '')
      : !WORKS_IN.test(before);
  });
  return [...variables, ...words];
}

/** What `find` does with everything below a folder that holds more than the work. */
function doneToAll({ program, args, locate }: Judged): readonly string[] {
  if (!/^g?find$/.test(program) || !args.some(arg => /^-(?:exec|execdir|ok|okdir)$/.test(arg))) return [];
  const end = args.findIndex(arg => /^[-(!]/.test(arg));
  return args
    .slice(0, end === -1 ? args.length : end)
    .map(locate)
    .filter(path => zoneOf(path) === 'home' || path === '/');
}

/** They evaluate subscripts in their words. */
const EVALUATES = new Set(
  'test [ [[ printf read unset let declare typeset local export readonly mapfile readarray'.split(' '),
);

export const elsewhereRules: readonly Rule[] = [
  {
    id: 'host-files.any-word',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Leads a program to a place outside of the work.',
    matches: command => [...ledElsewhere(command), ...doneToAll(command)],
    positive: [
      'python3 -m venv --clear ~/',
      'valgrind --log-file=../../.bashrc ls',
      'git log --output=../../.bash_logout -1',
      'mogrify -resize 10% ~/Pictures/*.jpg',
      'npm install --prefix ~ ./vendor/x',
      'pytest -q --basetemp="$HOME/Documents"',
      'GIT_TRACE=$HOME/.ssh/authorized_keys git status --short',
      'CARGO_TARGET_DIR=../../Documents cargo clean',
      'curl -s -c ../../.profile http://127.0.0.1:8000/',
      '/usr/bin/time -o ../../.bashrc make test',
      'iconv -f utf-8 -t utf-8 -o ../../.vimrc notes.txt',
      'ln -sfn ../../.bashrc notes.txt; date >> notes.txt',
      'docker build -t x ~',
      "find ~ -maxdepth 1 -name '.ss?' -exec cp -r -t vendor {} +",
    ],
    negative: [
      'ls ~/projects',
      'cd ~/projects/site && make',
      'git -C ~/projects/site status',
      'cmake -S .. -B build',
      'find . -name x -exec cat {} +',
      'tsc -p ../tsconfig.json',
      'docker build -t x ..',
      'diff -r src ../other/src',
      'PYTHONPATH=../lib pytest -q',
      'cp ../other/x.ts src/',
      'grep -rn x ~/projects',
    ],
  },
  {
    id: 'unresolved.quoted-code',
    threatens: 'unresolved',
    severity: 'high',
    reason: 'Has code in a quoted word that the shell evaluates all the same.',
    matches: ({ program, args, text }) =>
      (EVALUATES.has(program) && args.some(arg => QUOTED_CODE.test(arg))) || /\$\{[^}]*@P\}/.test(text),
    positive: [
      "[[ -v 'a[$(id)]' ]]",
      "test 'a[$(id)]' -eq 1",
      "printf -v 'a[`id`]' x",
      `x='$(id)'; echo "\${x@P}"`,
    ],
    negative: ['[[ -v a ]]', "echo '$(id)'", "printf '%s [%s]' a b", '[ "$(id -u)" = 0 ]'],
  },
];
