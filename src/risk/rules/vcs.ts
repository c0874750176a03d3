// History and uncommitted work in a repository, here or on its server.
import { hasFlag, operands } from '../command.ts';
import { type Judged, type Rule, verbsOf } from './rule.ts';

const VALUED = [
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '-o',
  '--push-option',
  '-b',
  '-B',
  '-m',
  '-F',
  '--message',
];
const words = (command: Judged): readonly string[] => verbsOf(command, VALUED);
const isHistory = (path: string): boolean =>
  /(?:^|\/)\.(?:git|hg|svn)(?:\/|$)/.test(path) && !/\/\w+\.lock$/.test(path);
const isAll = (path: string): boolean => /^(?:\.|\.\/|:\/|\*|:\(top\).*|\.\.\/?|\/)$/.test(path);

export const vcsRules: readonly Rule[] = [
  {
    id: 'vcs.force-push',
    threatens: 'vcs',
    severity: 'high',
    reason: 'Overwrites or deletes history on the server.',
    programs: ['git', 'hg', 'jj', 'gt'],
    matches: command => {
      const [verb, , ...refs] = words(command);
      if (verb !== 'push' || hasFlag(command, 'n', 'dry-run')) return false;
      return (
        hasFlag(command, 'f', 'force', 'mirror', 'delete', 'd', 'prune') ||
        command.args.some(arg => /^--force/.test(arg)) ||
        refs.some(ref => /^\+|^:./.test(ref))
      );
    },
    positive: [
      'git push --force',
      'git push -f origin main',
      'git push origin +main',
      'git push origin :old',
      'git push --delete origin x',
      'git -C repo push --force-with-lease',
      'git push origin main --force',
      'git push --mirror',
      'git push -uf origin x',
    ],
    negative: [
      'git push',
      'git push origin main',
      'git push -u origin x',
      'git push --tags',
      'git push --dry-run --force',
      'git fetch --force',
      'git push origin a:b',
    ],
  },
  {
    id: 'vcs.discard',
    threatens: 'vcs',
    severity: 'high',
    reason: 'Throws away uncommitted work.',
    programs: ['git', 'hg', 'svn'],
    matches: command => {
      const [verb = '', ...rest] = words(command);
      if (command.program === 'svn')
        return verb === 'revert' || (verb === 'cleanup' && hasFlag(command, 'remove-unversioned'));
      if (command.program === 'hg')
        return (
          (verb === 'update' && hasFlag(command, 'C', 'clean')) ||
          (verb === 'revert' && hasFlag(command, 'a', 'all')) ||
          verb === 'purge' ||
          verb === 'strip'
        );
      switch (verb) {
        case 'reset':
          return hasFlag(command, 'hard', 'merge');
        case 'clean':
          return hasFlag(command, 'f', 'force') && !hasFlag(command, 'n', 'dry-run');
        case 'checkout':
          return hasFlag(command, 'f', 'force') || rest.some(isAll);
        case 'switch':
          return hasFlag(command, 'f', 'force', 'discard-changes');
        case 'restore':
          return (!hasFlag(command, 'staged', 'S') || hasFlag(command, 'W', 'worktree')) && rest.some(isAll);
        case 'stash':
          return rest[0] === 'drop' || rest[0] === 'clear';
        case 'rm':
          return hasFlag(command, 'f', 'force') && !hasFlag(command, 'cached') && rest.some(isAll);
        case 'worktree':
          return rest[0] === 'remove' && hasFlag(command, 'f', 'force');
        case 'read-tree':
          return hasFlag(command, 'reset') && hasFlag(command, 'u');
        case 'submodule':
          return rest[0] === 'deinit' && hasFlag(command, 'f', 'force');
        default:
          return false;
      }
    },
    positive: [
      'git reset --hard HEAD~3',
      'git clean -fdx',
      'git clean -d -x -f',
      'git checkout -- .',
      'git checkout .',
      'git restore .',
      'git stash clear',
      'git checkout -f main',
      'svn revert -R .',
      'git reset HEAD --hard',
    ],
    negative: [
      'git reset --soft HEAD~1',
      'git reset HEAD file',
      'git clean -n',
      'git clean -fdn',
      'git checkout main',
      'git restore --staged .',
      'git stash',
      'git stash pop',
      'git checkout -b x',
      'git log --grep "reset --hard"',
    ],
  },
  {
    id: 'vcs.rewrite',
    threatens: 'vcs',
    severity: 'high',
    reason: 'Rewrites history, or deletes what would bring it back.',
    programs: ['git', 'git-filter-repo', 'bfg', 'java'],
    matches: command => {
      if (command.program === 'git-filter-repo' || command.program === 'bfg')
        return command.args.length > 0 && !command.args.includes('--help');
      if (command.program === 'java') return false;
      const [verb = '', ...rest] = words(command);
      switch (verb) {
        case 'filter-branch':
        case 'filter-repo':
          return true;
        case 'reflog':
          return rest[0] === 'expire' || rest[0] === 'delete';
        case 'gc':
          return (
            command.args.some(arg => /^--prune=(?:now|all)/.test(arg)) ||
            (hasFlag(command, 'aggressive') && command.args.includes('--prune'))
          );
        case 'prune':
          return !hasFlag(command, 'n', 'dry-run');
        case 'update-ref':
          return hasFlag(command, 'd', 'stdin');
        case 'branch':
          return (
            hasFlag(command, 'D') ||
            (hasFlag(command, 'd', 'delete') && hasFlag(command, 'f', 'force')) ||
            (hasFlag(command, 'f', 'force') && rest.length > 1) ||
            hasFlag(command, 'M')
          );
        case 'tag':
          return hasFlag(command, 'f', 'force');
        case 'replace':
          return rest.length > 1;
        default:
          return false;
      }
    },
    positive: [
      'git filter-branch --tree-filter x HEAD',
      'git reflog expire --expire=now --all',
      'git branch -D main',
      'git update-ref -d HEAD',
      'git gc --prune=now',
      'git filter-repo --path x',
      'git branch --delete --force x',
    ],
    negative: [
      'git branch -d merged',
      'git reflog',
      'git gc',
      'git branch',
      'git log --all',
      'git rebase main',
      'git commit --amend',
      'git tag v1',
    ],
  },
  {
    id: 'vcs.delete-repository',
    threatens: 'vcs',
    severity: 'high',
    reason: 'Deletes a repository, or its whole history.',
    programs: ['gh', 'glab', 'hub', 'rm', 'find', 'gfind', 'mv', 'az', 'aws', 'tea'],
    matches: command => {
      if (command.program === 'mv') {
        const isInto = hasFlag(command, 't', 'target-directory');
        return operands(command, ['S', 't'])
          .slice(0, isInto ? undefined : -1)
          .filter(isHistory);
      }
      if (/^(?:rm|g?find)$/.test(command.program))
        return command.deletes
          .filter(({ path, isFiltered }) => isHistory(path) && !isFiltered)
          .map(({ path }) => path);
      const text = words(command).join(' ');
      if (command.program === 'gh' || command.program === 'hub') {
        return (
          /^(?:repo|release|secret|variable|gist|run|cache|codespace|issue|label|project|ruleset|ssh-key|gpg-key|workflow) (?:delete|archive|disable|rename)|^repo edit.*--visibility|^delete\b|^pr (?:merge).*--admin/.test(
            text,
          ) ||
          (/^api\b/.test(text) &&
            command.args.some(
              (arg, at) => /^(?:-X|--method)/.test(arg) && /DELETE/i.test(`${arg}${command.args[at + 1]}`),
            )) ||
          (/^repo edit/.test(text) && command.args.includes('--visibility')) ||
          (/^pr merge/.test(text) && command.args.includes('--admin'))
        );
      }
      return /^(?:repo|project|release) delete|^repos delete|^codecommit delete|^repos? rm/.test(text);
    },
    positive: [
      'gh repo delete me/x --yes',
      'rm -rf .git',
      'gh release delete v1 -y',
      'gh api -X DELETE repos/me/x',
      'glab repo delete x',
      'rm -r repo/.git/',
      'find .git -delete',
      'mv .git /tmp',
    ],
    negative: [
      'gh repo view',
      'gh pr list',
      'rm .gitignore',
      'gh release list',
      'gh api repos/me/x',
      'rm -f .git/index.lock',
      "find .git -name '*.lock' -delete",
      'mv .gitignore x',
    ],
  },
];
