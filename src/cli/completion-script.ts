// Completion scripts for bash, zsh and fish, made from the table of commands: no process is started on Tab.
import { longFlag } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export interface CompletedCommand {
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly string[];
  /** What the first argument may be, where that is known. */
  readonly values: readonly string[];
}

const GLOBAL_FLAGS = ['json', 'set', 'help'];

export function completionScript(
  shell: string,
  commands: readonly CompletedCommand[],
  groups: Readonly<Record<string, string>>,
): string {
  return shell === 'fish' ? fishScript(commands, groups) : bashScript(commands, shell);
}

/** What may follow the words typed so far, by those words. */
function continuations(commands: readonly CompletedCommand[]): Map<string, Set<string>> {
  const after = new Map<string, Set<string>>();
  for (const { path, flags, values } of commands) {
    path.forEach((word, at) => {
      const before = path.slice(0, at).join(' ');
      after.set(before, (after.get(before) ?? new Set()).add(word));
    });
    after.set(path.join(' '), new Set([...values, ...[...flags, ...GLOBAL_FLAGS].map(longFlag)]));
  }
  return after;
}

/** zsh reads the bash script through its own bridge. */
function bashScript(commands: readonly CompletedCommand[], shell: string): string {
  const cases = [...continuations(commands)].map(
    ([words, next]) => `    '${words}') candidates='${[...next].join(' ')}' ;;`,
  );
  return [
    ...(shell === 'zsh' ? ['#compdef hermes', 'autoload -U +X bashcompinit && bashcompinit'] : []),
    '_hermes() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words="" word candidates=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    [[ $word == -* ]] || words="${words:+$words }$word"',
    '  done',
    '  case "$words" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$candidates" -- "$current"))',
    '}',
    'complete -F _hermes hermes',
    '',
  ].join('\n');
}

function fishScript(commands: readonly CompletedCommand[], groups: Readonly<Record<string, string>>): string {
  const lines = ['complete -c hermes -f'];
  const offer = (condition: string, word: string, doc: string): void => {
    lines.push(`complete -c hermes -n '${condition}' -a '${word}' -d '${doc.replaceAll("'", "\\'")}'`);
  };
  for (const [group, doc] of Object.entries(groups)) offer('__fish_use_subcommand', group, doc);
  for (const { path, summary, flags, values } of commands) {
    const [first = '', second] = path;
    if (second === undefined) offer('__fish_use_subcommand', first, summary);
    else
      offer(
        `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}`,
        second,
        summary,
      );
    const seen = path.map(word => `__fish_seen_subcommand_from ${word}`).join('; and ');
    if (values.length > 0) lines.push(`complete -c hermes -n '${seen}' -a '${values.join(' ')}'`);
    for (const flag of flags) lines.push(`complete -c hermes -n '${seen}' -l '${longFlag(flag).slice(2)}'`);
  }
  for (const flag of GLOBAL_FLAGS) lines.push(`complete -c hermes -l '${flag}'`);
  return `${lines.join('\n')}\n`;
}
