// What git runs for others: its aliases, hooks of rebase and bisect, helpers named in a setting, and addresses that are commands.
import { flagValues, type SimpleCommand } from '../command.ts';
import { byFlag, type Inner, scripts } from './inner.ts';

/** Settings whose value is a command. */
const RUN_BY_SETTING =
  /^(?:alias\.[^=]+=!|credential\.(?:.+\.)?helper=!?|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)=|sequence\.editor=|diff\.(?:external|.+\.(?:command|textconv))=|pager\.\w+=|gpg\.(?:\w+\.)?program=|filter\..+\.(?:clean|smudge|process)=|merge\..+\.driver=|(?:diff|merge)tool\..+\.cmd=|(?:uploadpack|receive)\.\w*hook=|trailer\..+\.c(?:om)?m(?:an)?d=|interactive\.difffilter=|remote\..+\.(?:uploadpack|receivepack)=)(.+)$/is;
const GLOBAL_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

export function byGit(command: SimpleCommand): Inner[] {
  const { args } = command;
  const rest = args.slice(verbAt(args));
  const [verb = ''] = rest;
  const after = { args: rest.slice(1) };
  const texts: readonly (string | undefined)[] = [
    ...settingsOf(args).map(text => RUN_BY_SETTING.exec(text)?.[1]),
    ...(verb === 'rebase' ? flagValues(after, 'x', 'exec') : []),
    ...(verb === 'filter-branch'
      ? flagValues(after, 'tree-filter', 'index-filter', 'msg-filter', 'env-filter', 'commit-filter')
      : []),
    ...(verb === 'difftool' ? flagValues(after, 'x', 'extcmd') : []),
    ...(verb === 'clone' ? flagValues(after, 'u') : []),
    ...(verb === 'send-email' ? flagValues(after, 'sendmail-cmd', 'to-cmd', 'cc-cmd', 'header-cmd') : []),
    ...(verb === 'rebase' ? [] : flagValues(after, 'exec')),
    ...flagValues(after, 'upload-pack', 'receive-pack'),
  ];
  // `-O` has its value attached or none.
  const pagers =
    verb === 'grep' ? rest.flatMap(arg => /^(?:-O|--open-files-in-pager=)(.+)$/s.exec(arg)?.[1] ?? []) : [];
  return [
    ...scripts('git', texts),
    ...scripts(byFlag('git'), pagers),
    ...args.flatMap(addressed),
    ...runWords(verb, rest),
  ];
}

/** Where the words of git itself end. */
export function verbAt(args: readonly string[]): number {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-'); at++) if (GLOBAL_VALUED.has(args[at] ?? '')) at++;
  return at;
}

/** `-c a.b=c` before the verb, and of `clone` also behind it. */
export function settingsOf(args: readonly string[]): string[] {
  const verb = args[verbAt(args)];
  const own = args.slice(0, verb === 'clone' ? undefined : verbAt(args));
  return flagValues({ args: own }, 'c', 'config');
}

/** `ext::sh -c …` is an address that is run; a blank that belongs to a word is written `% ` in it. */
function addressed(arg: string): Inner[] {
  const text = /^ext::(.+)$/s.exec(arg)?.[1];
  if (text === undefined) return [];
  const argv = text.split(/(?<!%) +/).map(word => word.replace(/% /g, ' ').replace(/%%/g, '%'));
  return [{ kind: 'argv', argv, via: 'git' }];
}

/** `bisect run` and `submodule foreach` run the rest of their words; the latter takes a single one for a script. */
function runWords(verb: string, args: readonly string[]): Inner[] {
  const at = args.indexOf(verb === 'bisect' ? 'run' : 'foreach');
  const argv = at === -1 ? [] : args.slice(at + 1).filter(arg => !/^(?:--recursive|--quiet|-q)$/.test(arg));
  const [only = ''] = argv;
  if (argv.length === 0 || !/^(?:bisect|submodule)$/.test(verb)) return [];
  return argv.length === 1 ? scripts('git', [only]) : [{ kind: 'argv', argv, via: `git ${verb}` }];
}
