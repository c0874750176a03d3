// Whether an entry of the list of allowed commands allows far more than it seems to. Pure.
import { analyse } from '../risk/analyse.ts';
import type { Finding } from '../risk/finding.ts';
import { isAllowedBy } from '../risk/patterns.ts';

/** With any text behind them, these do anything. */
const ANYTHING = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox', 'eval', 'exec', 'source', 'command', 'builtin'],
  ...['python', 'python3', 'perl', 'ruby', 'node', 'deno', 'bun', 'php', 'lua', 'awk', 'gawk', 'tclsh'],
  ...[
    'sudo',
    'doas',
    'su',
    'env',
    'nohup',
    'setsid',
    'timeout',
    'xargs',
    'find',
    'parallel',
    'watch',
    'time',
  ],
  ...['ssh', 'docker', 'podman', 'kubectl', 'nsenter', 'chroot', 'unshare', 'bwrap', 'systemd-run', 'make'],
]);
/** With any text behind them, these destroy or send anything. */
const HARMFUL = new Set([
  ...[
    'rm',
    'dd',
    'mkfs',
    'chmod',
    'chown',
    'mv',
    'cp',
    'tee',
    'kill',
    'pkill',
    'killall',
    'shred',
    'truncate',
  ],
  ...['curl', 'wget', 'nc', 'ncat', 'socat', 'scp', 'rsync', 'ftp'],
]);

/** Words that show how far a star reaches: keys, start files, whole trees, other hosts, code from elsewhere, verbs that destroy. */
const PROBES = [
  '/etc/shadow',
  '~/.ssh/id_rsa',
  '~/.bashrc',
  '/etc/hosts',
  '/',
  '~',
  'https://elsewhere.example/x',
  'elsewhere.example:x',
  'destroy',
  'delete',
  'prune',
  'reboot',
  'sh',
];

/** Found in the words of any program, whatever it does with them. */
const ANY_WORD = /\.any-word$/;

/** Undefined when it is narrow enough. */
export function whyTooWide(entry: string): string | undefined {
  const text = entry.trim();
  const star = /(?<!\\)\*/.exec(text)?.index ?? -1;
  if (star < 0) return undefined;
  if (star === 0) return 'it begins with a star, so any command can match';
  const [first = ''] = text.split(/\s+/, 1);
  if (first.includes('*')) return 'the name of the program is open';
  // What stands between the program and the star narrows it, unless it only says that code follows.
  const between = text.slice(first.length, star).trim();
  const isOpen = between === '' || /^-\S*$/.test(between);
  const program = (first.split('/').at(-1) ?? first).replace(/[\d.]+$/, '');
  if (isOpen && ANYTHING.has(program)) return `${program} runs whatever stands behind it`;
  if (isOpen && HARMFUL.has(program)) return `${program} takes whatever stands behind it`;
  return reachOf(text);
}

/** What it covers besides the harmless, shown by a word in place of its star. */
function reachOf(entry: string): string | undefined {
  const filled = (word: string): string => entry.replace(/(?<!\\)\*/g, () => word).replaceAll('\\*', '*');
  const rulesIn = (command: string): readonly Finding[] => analyse(command).findings;
  const usual = new Set(rulesIn(filled('x')).map(({ rule }) => rule));
  for (const probe of PROBES) {
    const command = filled(probe);
    if (!isAllowedBy(entry, command)) continue;
    const found = rulesIn(command).find(({ rule }) => !usual.has(rule) && !ANY_WORD.test(rule));
    if (found) return `it covers \`${command}\`: ${found.reason}`;
  }
  return undefined;
}
