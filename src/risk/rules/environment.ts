// What shows variables of the environment: all of them, or one that was forwarded. Asked only where credentials are forwarded.
import { hasFlag, isUnknown, operands } from '../command.ts';
import type { Judged, Rule } from './rule.ts';

/** Variables that every shell has. */
const USUAL =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|LANG|LC_\w+|TERM|TMPDIR|EDITOR|PAGER|HOSTNAME|NODE_ENV|CI|DISPLAY|VIRTUAL_ENV|COLUMNS|LINES|SHLVL)$/;
const DECLARERS = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
const LANGUAGES = /^(?:g|m|n)?awk$/;
/** `/proc/self/environ`, also by a pattern or with a number that is known only when it runs. */
const PROC_ENVIRON = /^\/proc\/.+\/(?:environ|[\w*?[\]\uE000]*[*?[\]\uE000][\w*?[\]\uE000]*)$/;

function showsAll(command: Judged): boolean {
  const { program, args } = command;
  if (program === 'env') return (command.inner?.length ?? 0) === 0 && !hasFlag(command, 'help', 'version');
  if (program === 'printenv')
    return args.length === 0 || args.some(arg => !USUAL.test(arg) && !/^-/.test(arg));
  if (program === 'set') return args.length === 0;
  if (DECLARERS.has(program)) return operands(command).length === 0 || hasFlag(command, 'p');
  if (program === '@environment') return !USUAL.test(args[0] ?? '');
  if (LANGUAGES.test(program)) return args.some(arg => /\bENVIRON\b/.test(arg));
  if (program === 'jq' || program === 'gojq') return args.some(arg => /\$ENV\b|\benv\b/.test(arg));
  if (program === 'ps') return args.some(arg => /^[a-zA-Z]*e/.test(arg));
  const named = args.filter(arg => arg.startsWith('/proc/') || isUnknown(arg)).map(command.locate);
  return command.reads.some(path => PROC_ENVIRON.test(path)) || named.some(path => PROC_ENVIRON.test(path));
}

/** Programs that give out what stands in their words or comes in. */
const SHOWERS =
  'echo printf cat tee base64 base32 xxd od hexdump rev tr sed awk grep head tail fold sort nl cut paste jq python3 node perl ruby logger write'.split(
    ' ',
  );

export const environmentRules: readonly Rule[] = [
  {
    id: 'credentials.environment',
    threatens: 'credentials',
    severity: 'high',
    reason: 'Shows variables of the environment, those with forwarded credentials among them.',
    onlyWith: 'credentials',
    matches: showsAll,
    positive: [
      'env',
      'printenv',
      'set',
      'export',
      'export -p',
      'declare -p',
      'declare -x',
      'cat /proc/self/environ',
      "tr '\\0' '\\n' < /proc/1/environ",
      'strings /proc/$PPID/environ',
      'cat /proc/*/envi*',
      "awk 'BEGIN{for(k in ENVIRON) print k, ENVIRON[k]}'",
      'jq -n env',
      "jq -n '$ENV'",
      'ps eww',
      "python3 -c 'import os; print(os.environ)'",
    ],
    negative: [
      'env A=b ls',
      'printenv PATH',
      'set -e',
      'export A=b',
      'declare -A m',
      'cat /proc/cpuinfo',
      "awk '{print $1}' f",
      'jq . f',
    ],
  },
  {
    id: 'credentials.forwarded',
    threatens: 'credentials',
    severity: 'high',
    reason: 'Shows the value of a variable that may be a forwarded credential.',
    onlyWith: 'named-credentials',
    programs: SHOWERS,
    matches: ({ variables }) => variables.length > 0,
    positive: ['echo $DEPLOY', 'printf %s "$DEPLOY"', 'cat <<< "$DEPLOY"'],
    negative: ['echo DEPLOY', 'curl -H "x: $DEPLOY" https://x.example', 'X=1; echo $X'],
  },
];
