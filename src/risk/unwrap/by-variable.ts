// Variables whose value is run: by another program, by the shell when it shows a prompt, or in a sum.
import type { SimpleCommand } from '../command.ts';
import { byFlag, type Inner, scripts } from './inner.ts';

const RUN_BY_NAME =
  /^(?:PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|SUDO_EDITOR|KUBE_EDITOR|FCEDIT|GIT_SSH|GIT_SSH_COMMAND|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|RSYNC_RSH|BROWSER|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|SUDO_ASKPASS|SSH_ASKPASS|GIT_ASKPASS|PERL5DB)$/;
const PROMPTS = /^PS[0-4]$/;
const DECLARERS = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
/** The shell works these words out as sums, and sums may hold substitutions. */
const CALCULATES = new Set(['test', '[', 'unset', 'read', 'let', 'printf', 'mapfile', 'readarray', 'wait']);
const HIDDEN = /^[A-Za-z_]\w*\[.*(?:\$\(|`)/s;

/** What a command sets, before it or as its words. */
export function settings({
  program,
  args,
  assignments,
}: SimpleCommand): readonly (readonly [string, string])[] {
  const declared = DECLARERS.has(program) || program === 'env' ? args : [];
  if (declared.length === 0 && assignments.size === 0) return [];
  return [
    ...assignments,
    ...declared.flatMap(arg => {
      const at = arg.indexOf('=');
      return at > 0 ? [[arg.slice(0, at), arg.slice(at + 1)] as const] : [];
    }),
  ];
}

export function byVariable(command: SimpleCommand): Inner[] {
  const given = settings(command);
  const run = given.flatMap(([name, value]) => (RUN_BY_NAME.test(name) ? [value.replace(/^\|/, '')] : []));
  const shown = given.flatMap(([name, value]) =>
    (PROMPTS.test(name) && /\$\(|`/.test(value)) || HIDDEN.test(value) ? [value] : [],
  );
  const sums = CALCULATES.has(command.program) ? command.args.filter(arg => HIDDEN.test(arg)) : [];
  return [...scripts(byFlag('variable'), run), ...scripts('variable', [...shown, ...sums].map(expanded))];
}

/** A text that the shell expands once more, written so that only its substitutions run. */
function expanded(text: string): string {
  return `: "${text.replace(/"/g, '\\"')}"`;
}
