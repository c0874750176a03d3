// Whether an entry of the list of allowed commands allows far more than it seems to. Pure.

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

/** Undefined when it is narrow enough. */
export function whyTooWide(entry: string): string | undefined {
  const text = entry.trim();
  const star = text.indexOf('*');
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
  return undefined;
}
