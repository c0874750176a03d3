// Programs that run the rest of their words: `sudo rm`, `timeout 5 rm`, `env A=b rm`.
import type { SimpleCommand } from '../command.ts';
import type { Inner } from './inner.ts';

interface Prefix {
  /** Flags, letters and long names, that take the next word. */
  readonly valued?: readonly string[];
  /** Words before the command that are no flags. */
  readonly skip?: number;
  /** `A=b` may stand before the command. */
  readonly assignments?: true;
  /** With one of these nothing is run. */
  readonly inert?: readonly string[];
}

const letters = (text: string): string[] => [...text];

const PREFIXES: Readonly<Record<string, Prefix>> = {
  sudo: {
    valued: [
      ...letters('ugpCrtTUDRh'),
      'user',
      'group',
      'prompt',
      'chdir',
      'host',
      'role',
      'type',
      'other-user',
      'close-from',
    ],
    assignments: true,
  },
  doas: { valued: letters('uC') },
  pkexec: { valued: ['user'] },
  gosu: { skip: 1 },
  'su-exec': { skip: 1 },
  setpriv: { valued: ['reuid', 'regid', 'groups'] },
  env: { valued: [...letters('uC'), 'unset', 'chdir'], assignments: true },
  nohup: {},
  setsid: {},
  time: { valued: letters('fo') },
  command: { inert: ['-v', '-V', '-pv'] },
  builtin: {},
  exec: { valued: letters('a') },
  nice: { valued: ['n', 'adjustment'] },
  ionice: { valued: [...letters('cnpPu'), 'class', 'classdata'] },
  stdbuf: { valued: [...letters('ioe'), 'input', 'output', 'error'] },
  timeout: { valued: [...letters('ks'), 'kill-after', 'signal'], skip: 1 },
  gtimeout: { valued: letters('ks'), skip: 1 },
  chroot: { valued: ['userspec', 'groups'], skip: 1 },
  unshare: { valued: letters('SGRw') },
  nsenter: { valued: letters('tSG') },
  strace: { valued: letters('eopsuaEPISX') },
  ltrace: { valued: letters('eopsuaEPISX') },
  taskset: { skip: 1 },
  chrt: { valued: letters('TPD'), skip: 1 },
  numactl: { valued: [...letters('NmCpiP'), 'cpunodebind', 'membind', 'physcpubind', 'interleave'] },
  prlimit: {},
  cpulimit: { valued: letters('lpe') },
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  'xvfb-run': { valued: letters('nesfpw') },
  proxychains: { valued: letters('f') },
  proxychains4: { valued: letters('f') },
  torsocks: {},
  torify: {},
  caffeinate: { valued: letters('tw') },
  busybox: {},
  toybox: {},
  'systemd-run': {
    valued: [
      ...letters('puMHEt'),
      'unit',
      'property',
      'description',
      'slice',
      'uid',
      'gid',
      'on-calendar',
      'on-active',
      'setenv',
    ],
  },
  'systemd-inhibit': {},
  'dbus-run-session': {},
  'dbus-launch': {},
  firejail: {},
  fakeroot: {},
  fakechroot: {},
  faketime: { skip: 1 },
  unbuffer: {},
  rlwrap: {},
  valgrind: {},
  'aws-vault': { skip: 2 },
  dotenv: { valued: letters('ef') },
  op: { skip: 1 },
  conda: { valued: letters('np'), skip: 1 },
  mamba: { valued: letters('np'), skip: 1 },
  micromamba: { valued: letters('np'), skip: 1 },
  pipx: { skip: 1 },
  hatch: { valued: letters('e'), skip: 1 },
  mise: { skip: 1 },
  asdf: { skip: 1 },
  devbox: { skip: 1 },
  doppler: { valued: letters('pct'), skip: 1 },
  infisical: { skip: 1 },
  foreman: { valued: letters('edf'), skip: 1 },
  heroku: { valued: letters('ar'), skip: 1 },
  watchexec: { valued: [...letters('wefids'), 'watch', 'exts', 'filter', 'ignore', 'debounce', 'signal'] },
  envchain: { skip: 1 },
  direnv: { skip: 2 },
  poetry: { skip: 1 },
  pipenv: { skip: 1 },
  uv: { skip: 1 },
  bundle: { skip: 1 },
  nix: { skip: 1 },
  npx: { valued: ['p', 'package', 'c', 'call'] },
  bunx: {},
  pnpx: {},
  flock: { valued: letters('wE'), skip: 1 },
  arch: {},
  chpst: { valued: letters('uUbeEmodnplfc') },
  setuidgid: { skip: 1 },
  runcon: { skip: 1 },
  entr: {},
  perf: { valued: [...letters('eorCptxIFcgGmj'), 'event', 'output', 'repeat', 'cpu'], skip: 1 },
  rr: { skip: 1 },
  proot: { valued: letters('rbwqkRSmi') },
  cgexec: { valued: letters('g') },
  choom: { valued: letters('np') },
  chronic: {},
  eatmydata: {},
  ifne: {},
  tini: { valued: letters('pe') },
  'dumb-init': {},
  catchsegv: {},
  softlimit: { valued: letters('adlmnoprstcf') },
  trickle: { valued: letters('udwtsl') },
  tsocks: {},
  pidproxy: { skip: 1 },
  daemonize: { valued: letters('acelopuE') },
  'ssh-agent': { valued: letters('aEtPO') },
  sem: { valued: [...letters('j'), 'id', 'jobs'] },
  schroot: { valued: [...letters('cundsp'), 'chroot', 'user', 'directory'] },
  'systemd-nspawn': { valued: [...letters('DiMu'), 'directory', 'image', 'machine', 'user', 'bind'] },
  'lxc-attach': { valued: [...letters('nPus'), 'name'] },
  'lxc-execute': { valued: [...letters('nPfs'), 'name'] },
  hyperfine: { valued: letters('wmrpLPDnui') },
};
/** They run a command only after this word. */
const AFTER_WORD: Readonly<Record<string, string>> = {
  'aws-vault': 'exec',
  direnv: 'exec',
  poetry: 'run',
  pipenv: 'run',
  uv: 'run',
  bundle: 'exec',
  rr: 'record',
  op: 'run',
  conda: 'run',
  mamba: 'run',
  micromamba: 'run',
  pipx: 'run',
  hatch: 'run',
  mise: 'exec',
  asdf: 'exec',
  devbox: 'run',
  doppler: 'run',
  infisical: 'run',
  foreman: 'run',
  heroku: 'run',
};

export function prefixed(command: SimpleCommand): Inner[] {
  // A loader and an emulator run their first word.
  const isLoader = /^ld(?:-linux|-musl)?[\w-]*\.so|^qemu-[\w-]+(?<!-system-\w+|-img|-nbd|-io)$/.test(
    command.program,
  );
  const name = isLoader ? 'nohup' : command.program;
  const prefix = Object.hasOwn(PREFIXES, name) ? PREFIXES[name] : undefined;
  if (!prefix) return [];
  const { args } = command;
  const word = AFTER_WORD[name];
  if (word !== undefined && args[0] !== word) return [];
  if (name === 'perf' && !/^(?:stat|record|trace|mem|lock|sched|kmem|ftrace)$/.test(args[0] ?? '')) return [];
  if (prefix.inert?.some(flag => args.includes(flag))) return [];
  const argv = args.slice(startOf(args, prefix));
  return argv.length > 0 ? [{ kind: 'argv', argv, via: command.program }] : [];
}

/** Where the command begins that a program runs. */
export function startOf(args: readonly string[], { valued = [], skip = 0, assignments }: Prefix): number {
  let at = 0;
  let left = skip;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      at++;
      // What is skipped may stand behind it, as in `timeout -- 5 rm`.
      return at + left;
    }
    if (arg.startsWith('-') && arg !== '-') {
      if (takesNext(arg, valued)) at++;
    } else if (assignments && /^[A-Za-z_]\w*=/.test(arg)) {
      // It stays before the command.
    } else if (left > 0) left--;
    else break;
  }
  return at;
}

function takesNext(arg: string, valued: readonly string[]): boolean {
  if (arg.startsWith('--')) return valued.includes(arg.slice(2));
  // Of `-u root` the letter stands last; of `-uroot` it does not.
  return valued.some(name => name.length === 1 && arg.indexOf(name) === arg.length - 1 && arg.length >= 2);
}
