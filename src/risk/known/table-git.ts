// Harmless git and its kin: reading, and ordinary work in the repository. What loses work or history has rules of its own.
import { flagValues } from '../command.ts';
import { zoneOf } from '../paths.ts';
import { settingsOf, verbAt } from '../unwrap/by-git.ts';
import { any, each, type Shape, telling, verbs, without } from './shape.ts';

/** Settings that only change how git speaks and sorts; every other may name a program, a file or an address. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|init\.defaultbranch|(?:pull|push|fetch|branch|rebase|merge|commit|tag|log|status|color|column|advice|rerere|help|format|gc|pack|index|feature|diff|blame|versionsort|stash|checkout|clone|submodule|worktree|i18n)\.(?!(?:external|tool|guitool|.*(?:command|cmd|driver|textconv|program|signer|template|editor))(?:=|$))[\w./*-]*|core\.(?:autocrlf|filemode|ignorecase|quotepath|eol|safecrlf|symlinks|abbrev|longpaths|compression|bare|precomposeunicode|untrackedcache|preloadindex|logallrefupdates|whitespace|checkstat)|http\.(?:sslverify|postbuffer|lowspeedlimit|lowspeedtime|version)|safe\.directory|remote\.[\w.-]+\.(?:fetch|prune|tagopt))$/i;
const READS_SETTING =
  /^(?:--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?|--list|-l|--show-origin|--show-scope|get|list|--name-only|--null|-z)$/;
/** Programs whose only deed is to show a text. */
const PAGER = /^(?:cat|less(?: -[A-Za-z]+)*|more|delta|bat|)$/;
const EDITOR = /^(?:vim?|nvim|nano|emacs|code --wait|true|:)$/;

function isPlainSetting(setting: string): boolean {
  const [key = ''] = setting.split('=', 1);
  const value = setting.slice(key.length + 1);
  if (PLAIN_SETTING.test(key)) return true;
  if (/^(?:core\.pager|pager\.\w+)$/i.test(key)) return PAGER.test(value) || /^(?:true|false)$/.test(value);
  if (/^(?:core|sequence)\.editor$/i.test(key)) return EDITOR.test(value);
  if (/^core\.hookspath$/i.test(key)) return value === '/dev/null';
  return /^alias\.[\w-]+$/i.test(key) && !/^\s*!/.test(value);
}

const config: Shape = args => {
  if (args.some(arg => /^(?:-f|--file|--blob|--edit|-e|edit)(?:=|$)/.test(arg))) return false;
  const words = args.filter(arg => !arg.startsWith('-') && arg !== 'set');
  const isRead = args.some(arg => READS_SETTING.test(arg)) || words.length <= 1;
  return (
    isRead || args.some(arg => /^--(?:unset|remove-section)/.test(arg)) || isPlainSetting(words.join('='))
  );
};

const fetching = without(
  '',
  'upload-pack receive-pack exec template config config-env separate-git-dir reference bundle-uri',
);
const addressed: Shape = (args, command) =>
  fetching(args, command) && !args.some(arg => /^(?:ext|fd)::/.test(arg));
/** Behind `clone` a setting may follow; it is looked at with those before the verb. */
const clone: Shape = (args, command) =>
  addressed(
    args.filter((arg, at) => arg !== '-c' && arg !== '--config' && args[at - 1] !== '-c'),
    command,
  ) && !args.includes('-u');

const remote: Shape = args =>
  !/^(?:set-url|rename|set-head|add)$/.test(args[0] ?? '') || args[0] === 'add' || args[0] === 'set-head';
const bisect: Shape = args => args[0] !== 'run';
const GLOBAL_VALUED = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env'];

const gitVerbs = verbs(
  {
    ...each(`status diff-tree diff-index diff-files blame annotate branch add commit stash merge cherry-pick revert
      reset restore tag describe rev-parse rev-list ls-files ls-tree cat-file show-ref show-branch for-each-ref symbolic-ref
      name-rev merge-base reflog shortlog count-objects check-ignore check-attr whatchanged range-diff cherry mv rm
      am format-patch notes var version help fsck gc verify-commit verify-tag checkout switch clean worktree sparse-checkout bundle
      hash-object interpret-trailers request-pull rerere stripspace patch-id lfs flow column check-mailmap check-ref-format verify-pack`),
    apply: without('', 'unsafe-paths directory'),
    ...each('diff log show', without('', 'ext-diff')),
    grep: without('O', 'open-files-in-pager'),
    rebase: any, // what it runs in between is looked at
    // Other formats are commands of a setting.
    archive: (args, command) =>
      without('', 'exec remote')(args, command) &&
      flagValues({ args }, 'format').every(format => /^(?:tar|zip|tgz|tar\.gz)$/.test(format)),
    init: without('', 'template separate-git-dir'),
    clone,
    ...each('fetch pull ls-remote', addressed),
    // To a remote that is known by its name.
    push: (args, command) =>
      addressed(args, command) && !args.some(arg => /:\/\/|^[\w.-]+@[\w.-]+:|^[/~.]/.test(arg)),
    submodule: args => !args.includes('foreach'),
    remote,
    bisect,
    config,
  },
  { valued: GLOBAL_VALUED },
);

/** In front of the verb nothing that leads it to another program, tree or setting. */
const git: Shape = (args, command) => {
  if (!args[0]?.startsWith('-') && args[0] !== 'clone') return gitVerbs(args, command);
  const before = args.slice(0, verbAt(args));
  const isLed = before.some(
    arg => /^--(?:git-dir|work-tree|config-env|namespace)/.test(arg) || /^--exec-path=/.test(arg),
  );
  // The settings of a repository run programs; those of the work and of the user's own are theirs.
  const isForeign = flagValues({ args: before }, 'C').some(
    path => !/^(?:inside|above|home)$/.test(zoneOf(command.locate(path))),
  );
  return !isLed && !isForeign && settingsOf(args).every(isPlainSetting) && gitVerbs(args, command);
};

const gh = verbs(
  {
    ...each(
      'mr pr issue run repo release auth search status browse label workflow project version help cache ruleset org',
    ),
    gist: args => /^(?:list|view)$/.test(args[0] ?? ''),
    api: args => !args.some(arg => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(arg)),
  },
  { valued: ['-R', '--repo'] },
);

export const gitTable: Readonly<Record<string, Shape>> = {
  git,
  gh,
  ...each('glab hub tig', gh),
  hg: verbs(
    each(
      'status log diff summary branch branches tags add commit update pull heads id identify parents files cat annotate help version root paths',
    ),
  ),
  svn: verbs(each('status log diff info update checkout add commit list ls cat blame help')),
  jj: verbs(each('status log diff show new describe commit git bookmark op st')),
  'git-lfs': any,
  lazygit: telling,
};
