// Foreign code in a program that looks like itself: by a variable, by a flag, or by its name.
import { flagValues, hasFlag } from '../command.ts';
import { zoneOf } from '../paths.ts';
import { shadowsProgram } from '../places.ts';
import { settingsOf, verbAt } from '../unwrap/by-git.ts';
import { settings } from '../unwrap/by-variable.ts';
import { isByFlag } from '../unwrap/inner.ts';
import type { Judged, Rule } from './rule.ts';

const VARIABLES =
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PERL5DB|PYTHONSTARTUP|GCONV_PATH|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|BASH_FUNC_.*)$/;
/** A module outside of the working folder, or one that is written into the flag itself. */
const FOREIGN_MODULE = /^(?:\/|~|data:|https?:|file:)/;
const NODE_LOADS = /(?:^|\s)(?:--require|-r|--import|--loader|--experimental-loader)[=\s]+(\S+)/g;
const KORN_SHELLS = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'busybox', 'bash', '', 'export']);

export const preloadRules: readonly Rule[] = [
  {
    id: 'privileges.preload',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Loads foreign code into a program, or gives its name to another.',
    matches: command =>
      byVariable(command) || byGitFlag(command) || byModule(command) || byName(command) || byPath(command),
    positive: [
      'LD_PRELOAD=/tmp/x.so ls',
      'export LD_PRELOAD=./evil.so',
      'env LD_PRELOAD=/tmp/x.so sudo ls',
      'BASH_ENV=/tmp/x bash y.sh',
      'export PATH=/tmp/x:$PATH',
      'PATH=.:$PATH make',
      'ENV=/tmp/x sh -i',
      'NODE_OPTIONS="--require /tmp/x.js" npm test',
      "node --import 'data:text/javascript,x' app.js",
      'node -r /tmp/x.js app.js',
      'git --exec-path=/tmp/x status',
      'git -c core.hooksPath=/tmp/h commit -m x',
      'git clone -c core.hooksPath=/tmp/x https://x.example/r',
      "git clone 'ext::sh -c id' x",
      'hash -p /bin/rm ls',
      'enable -f ./x.so x',
      'cp evil ~/.local/bin/ls',
      'sort --compress-program=/tmp/x y',
      'wget --use-askpass=/tmp/x https://x.example',
      'make SHELL=/tmp/x',
    ],
    negative: [
      'PATH=/x:$PATH ls',
      'export PATH=$HOME/bin:$PATH',
      'LD_LIBRARY_PATH=./lib ./app',
      'echo $LD_PRELOAD',
      'GIT_PAGER=cat git log',
      'unset LD_PRELOAD',
      'ENV=production node app.js',
      'NODE_OPTIONS=--max-old-space-size=4096 npm run build',
      "NODE_OPTIONS='--require ts-node/register' mocha",
      'node -r dotenv/config app.js',
      'git --exec-path',
      'git -c core.hooksPath=/dev/null commit -m x',
      'git clone -c core.autocrlf=false https://x.example/r',
      'hash -r',
      'enable -n echo',
      'cp tool ~/.local/bin/mytool',
      'sort --compress-program=gzip big',
      'tar -I /usr/bin/zstd -xf x.tar.zst',
      'make SHELL=/bin/bash test',
    ],
  },
];

function byVariable(command: Judged): boolean {
  const given = settings(command);
  const path = given.find(([name]) => name === 'PATH')?.[1];
  if (path !== undefined && /^(?:\.\/?|\/tmp\b[^:]*|\/var\/tmp\b[^:]*|\/dev\/shm\b[^:]*)?:/.test(path))
    return true;
  return given.some(([name, value]) => value !== '' && loads(name, value, command));
}

function loads(name: string, value: string, { program }: Judged): boolean {
  // For other programs it is a word such as `production`.
  if (name === 'ENV') return /^[/~.]/.test(value) && KORN_SHELLS.has(program);
  if (name === 'NODE_OPTIONS')
    return [...value.matchAll(NODE_LOADS)].some(([, module = '']) => FOREIGN_MODULE.test(module));
  if (name === 'RUBYOPT') return /(?:^|\s)-r\s*[/~.]/.test(value);
  if (/^_?JAVA_(?:TOOL_)?OPTIONS$/.test(name)) return /-javaagent:|-agentpath:/.test(value);
  if (/^GIT_CONFIG_KEY_\d+$/.test(name)) return isForeignSetting(`${value}=x`);
  return (
    VARIABLES.test(name) &&
    !/^(?:cat|less|ssh(?:\s+-[oivT]\s*\S+)*)$/.test(value) &&
    !/libasan|libjemalloc|libtcmalloc|libtsan/.test(value)
  );
}

const isForeignSetting = (setting: string): boolean =>
  /^(?:core\.(?:hookspath|sshcommand|fsmonitor|gitproxy|askpass)|init\.templatedir|protocol\.ext\.allow|include\.path)=./i.test(
    setting,
  ) && !/=(?:\/dev\/null|false|true|never|ssh(?:\s.*)?)$/i.test(setting);

function byGitFlag({ program, args }: Judged): boolean {
  if (program !== 'git') return false;
  const own = args.slice(0, verbAt(args));
  const verb = args[verbAt(args)] ?? '';
  return (
    own.some(arg => /^--exec-path=./.test(arg)) ||
    settingsOf(args).some(isForeignSetting) ||
    flagValues({ args: own }, 'config-env').some(isForeignSetting) ||
    args.some(arg => arg.startsWith('ext::')) ||
    (/^(?:clone|init)$/.test(verb) && flagValues({ args }, 'template').some(path => path !== ''))
  );
}

function byModule(command: Judged): boolean {
  const { program } = command;
  if (/^(?:node|nodejs|bun|deno|tsx|ts-node)$/.test(program))
    return flagValues(command, 'require', 'import', 'loader', 'experimental-loader', 'preload')
      .concat(command.args.flatMap((arg, at) => (arg === '-r' ? (command.args[at + 1] ?? []) : [])))
      .some(module => FOREIGN_MODULE.test(module));
  if (program === 'gawk' && command.args.some(arg => /@load\s+"[^"]*\//.test(arg))) return true;
  if (program === 'gawk') return flagValues(command, 'l', 'load').some(library => library.includes('/'));
  return false;
}

function byName(command: Judged): boolean {
  if (command.program === 'hash') return command.args.includes('-p');
  if (command.program === 'enable') return hasFlag(command, 'f');
  return false;
}

/** A program from nowhere in particular that another one is told to run. */
function byPath(command: Judged): boolean | readonly string[] {
  const { via, path } = command;
  if (isByFlag(via.at(-1)) && path.includes('/') && !/^\/(?:usr\/)?(?:local\/)?s?bin\/|^\/opt\//.test(path))
    return zoneOf(path) !== 'null';
  return command.writes.filter(shadowsProgram);
}
