// Words that lead out of the work, for programs of which nobody has said what they do with a word. They may read what lies
// there, write it, or load and run it.
import { isUnknown } from '../command.ts';
import { isOfFiles } from '../known/familiar.ts';
import { zoneOf } from '../paths.ts';
import { QUOTED_CODE } from '../quoted-code.ts';
import { isHelp, type Judged, type Rule } from './rule.ts';

/** What they do with a word is said by the rules about files, connections, containers and clouds. */
const SAID_ELSEWHERE =
  /^(?:@.*|ssh|scp|sftp|rsync|curl|wget2?|docker|podman|nerdctl|kubectl|helm|aws|gcloud|az|gh|code|subl|open|xdg-open|systemctl|journalctl|ps|pgrep|lsof|fuser|nvm|pyenv|rbenv|conda|source|\.)$/;
/** A folder to work in, not a file to touch. */
const WORKS_IN = /^(?:-C|--directory|--cwd|--work-dir|--project-dir|--manifest-path)$/;

/** The part of a word that may be a path: all of it, or what follows `=` or a short flag. */
function pathsIn(arg: string): readonly string[] {
  const value = /^-{0,2}[\w.-]+=(.*)$/s.exec(arg)?.[1];
  const attached = /^-[A-Za-z](?=[~/.])(.*)$/s.exec(arg)?.[1];
  return [arg, value, attached].filter(
    path => path !== undefined && /^(?:~|\/|\.\.(?:\/|$))/.test(path),
  ) as string[]; // not undefined
}

/** Words in the home folder, which the work is only a part of. */
function inHome(command: Judged): readonly string[] {
  const { program, args, locate } = command;
  if (program === '' || isUnknown(program) || command.isDefined || isHelp(command)) return [];
  // All that is in the folder goes into the image.
  const isBuild = /^(?:docker|podman|nerdctl)$/.test(program) && args.includes('build');
  if ((SAID_ELSEWHERE.test(program) && !isBuild) || isOfFiles(program)) return [];
  return args
    .flatMap((arg, at) => (WORKS_IN.test(args[at - 1] ?? '') ? [] : pathsIn(arg)))
    .map(locate)
    .filter(path => zoneOf(path) === 'home');
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
    reason: 'Leads a program to a place in a home folder outside of the work.',
    matches: command => [...inHome(command), ...doneToAll(command)],
    positive: [
      'python3 -m venv --clear ~/',
      'valgrind --log-file=../../.bashrc ls',
      'git log --output=../../.bash_logout -1',
      'mogrify -resize 10% ~/Pictures/*.jpg',
      'npm install --prefix ~ ./vendor/x',
      'pytest -q --basetemp="$HOME/Documents"',
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
