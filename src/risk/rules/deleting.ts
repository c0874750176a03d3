// What is deleted, judged by where it is.

import { isContained } from '../contained.ts';
import type { Deletion } from '../effects/deletes.ts';
import { isMade } from '../effects/makes.ts';
import { areTame } from '../known/tame.ts';
import { isRegenerable, isWhole, looksLikeFile, zoneOf } from '../paths.ts';
import type { Judged, Rule } from './rule.ts';

const DELETERS = [
  'rm',
  'grm',
  'srm',
  'rimraf',
  'unlink',
  'wipe',
  'rmdir',
  'trash',
  'find',
  'gfind',
  'del-cli',
  'Remove-Item',
  'ri',
  'del',
  'rd',
  'erase',
  'gzip',
  'bzip2',
  'xz',
  'lzma',
  'pigz',
  'compress',
  'zip',
  'shred',
];

/** Outside of the working folder and of the folders for temporary files. */
function isOutside(path: string): boolean {
  const zone = zoneOf(path);
  if (zone === 'temp') return isWhole(path);
  if (zone === 'inside' || zone === 'null' || zone === 'unknown') return false;
  return zone === 'system' || zone === 'device' || !isRegenerable(path);
}

function deletesWork({ path, isRecursive, isFiltered }: Deletion, command: Judged): boolean {
  const zone = zoneOf(path);
  if (zone === 'unknown') return isRecursive || (command.via.includes('xargs') && !areTame(command));
  if (zone !== 'inside' || !isRecursive || isFiltered) return false;
  if (/(?:^|\/)\.git(?:\/|$)/.test(path)) return false;
  return !isRegenerable(path) && !looksLikeFile(path);
}

const pathsOf = (deletions: readonly Deletion[]): string[] => deletions.map(({ path }) => path);

export const deletingRules: readonly Rule[] = [
  {
    id: 'host-files.delete-outside',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Deletes files outside the working folder.',
    programs: DELETERS,
    matches: ({ deletes }) => pathsOf(deletes.filter(({ path }) => isOutside(path))),
    positive: [
      'rm -rf /',
      'rm -f -r ~/projects',
      "'rm' -rf /etc",
      'r\\m /usr/bin/python3',
      'rm --recursive --force /home',
      'find / -name "*.log" -delete',
      'cd / && rm -rf *',
      'rm -rf ../*',
      'rm ~/Documents/thesis.tex',
      'rm -rf /tmp/*',
    ],
    negative: [
      'rm -rf node_modules',
      'rm -rf ./dist',
      'rm ./build/file',
      'echo "rm -rf /"',
      'rm -rf ~/.cache/pip',
      'find . -name "*.pyc" -delete',
      'git rm old.txt',
      'npm rm lodash',
    ],
  },
  {
    id: 'host-files.delete-temporary',
    threatens: 'host-files',
    severity: 'medium',
    reason:
      'Deletes below a folder for temporary files, which others use too, and not what the same command has made.',
    programs: DELETERS,
    matches: ({ deletes, made, via }) =>
      isContained({ via })
        ? []
        : pathsOf(deletes).filter(path => zoneOf(path) === 'temp' && !isWhole(path) && !isMade(path, made)),
    positive: [
      'rm -rf /tmp/build-1',
      'rm -f /tmp/x.sock',
      'cd /tmp/x && rm -rf *',
      'mkdir -p /tmp/x && rm -rf /tmp/x',
      'find /var/tmp/x -delete',
    ],
    negative: [
      't=$(mktemp -d); rm -rf "$t"',
      'mkdir /tmp/x && cp a /tmp/x && rm -rf /tmp/x',
      'echo x > /tmp/list && sort /tmp/list && rm /tmp/list',
      'rm -rf tmp/x',
      'docker exec web rm -rf /tmp/cache',
    ],
  },
  {
    id: 'host-files.delete-work',
    threatens: 'host-files',
    severity: 'medium',
    reason:
      'Deletes a whole folder, or one whose name is known only when it runs, and not one that a build makes again.',
    programs: DELETERS,
    matches: command => pathsOf(command.deletes.filter(each => deletesWork(each, command))),
    positive: [
      'rm -rf .',
      'rm -rf ./*',
      'rm -r -f src',
      'rm -rf "$DIR"',
      'find . -delete',
      'cat list | xargs rm -rf',
      'rm -rf -- *',
    ],
    negative: [
      'rm -rf build',
      'rm -rf packages/web/dist',
      'rm -rf *.egg-info',
      'rm -f *.o',
      'rm file.txt',
      'find . -name node_modules | xargs rm -rf',
      'rm -rf __pycache__ .pytest_cache',
    ],
  },
  {
    id: 'host-files.delete-everything-here',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Deletes every file in the folder.',
    programs: ['rm', 'grm', 'unlink'],
    matches: ({ deletes }) =>
      pathsOf(
        deletes.filter(
          ({ path, isRecursive }) =>
            !isRecursive && zoneOf(path) === 'inside' && isWhole(path) && path !== '.',
        ),
      ),
    positive: ['rm *', 'rm -f ./*', 'rm -- *'],
    negative: ['rm *.log', 'rm -f a.txt b.txt', 'ls *'],
  },
];
