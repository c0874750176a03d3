// What is deleted, judged by where it is.
import type { Deletion } from '../effects/deletes.ts';
import { isRegenerable, isWhole, looksLikeFile, zoneOf } from '../paths.ts';
import type { Rule } from './rule.ts';

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
];

/** Outside of the working folder and of the folders for temporary files. */
function isOutside(path: string): boolean {
  const zone = zoneOf(path);
  if (zone === 'temp') return isWhole(path);
  if (zone === 'inside' || zone === 'null' || zone === 'unknown') return false;
  return zone === 'system' || zone === 'device' || !isRegenerable(path);
}

function deletesWork({ path, isRecursive, isFiltered }: Deletion): boolean {
  const zone = zoneOf(path);
  if (zone === 'unknown') return isRecursive;
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
      'rm -rf /tmp/build-1',
      'rm ./build/file',
      'cd /tmp/x && rm -rf *',
      'echo "rm -rf /"',
      'rm -rf ~/.cache/pip',
      'find . -name "*.pyc" -delete',
      'git rm old.txt',
      'npm rm lodash',
    ],
  },
  {
    id: 'host-files.delete-work',
    threatens: 'host-files',
    severity: 'medium',
    reason:
      'Deletes a whole folder, or one whose name is known only when it runs, and not one that a build makes again.',
    programs: DELETERS,
    matches: ({ deletes }) => pathsOf(deletes.filter(deletesWork)),
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
      'rm -rf "$TMPDIR/x"',
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
