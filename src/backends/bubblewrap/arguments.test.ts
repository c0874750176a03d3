import { describe, expect, it } from 'vitest';
import { bwrapFlags, bwrapLine, type Plan } from './arguments.ts';

const plan: Plan = {
  folder: '/data/hermes-a',
  system: [
    { path: '/usr', source: '/usr' },
    { path: '/bin', linkTo: 'usr/bin' },
  ],
  hidden: { files: ['/proc/kcore'], folders: ['/proc/acpi'] },
  mounts: [],
  hostname: 'hermes-a',
  workdir: '/workspace',
  disablesUserns: true,
  fds: { flags: 14, seccomp: 3, info: 4 },
  command: ['bash', '-c', 'true'],
};

/** Every flag with its values, in order. */
function flagsOf(args: readonly string[]): string[] {
  const flags: string[] = [];
  for (const word of args) {
    if (word.startsWith('--')) flags.push(word);
    else flags.push(`${flags.pop()} ${word}`);
  }
  return flags;
}

describe('the arguments of bubblewrap', () => {
  const flags = flagsOf(bwrapFlags(plan));

  it.each([
    ...[
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup',
      '--unshare-net',
    ],
    ...[
      '--disable-userns',
      '--cap-drop ALL',
      '--new-session',
      '--die-with-parent',
      '--clearenv',
      '--seccomp 3',
    ],
    ...['--uid 1000', '--gid 1000', '--proc /proc', '--ro-bind /proc/sys /proc/sys'],
    ...['--remount-ro /', '--remount-ro /dev', '--ro-bind /dev/null /proc/kcore', '--remount-ro /proc/acpi'],
  ])('have %s', flag => {
    expect(flags).toContain(flag);
  });

  it('make nothing of the host writable but the sandbox’s own folder', () => {
    const writable = flags.filter(flag => /^--(dev-)?bind/.test(flag));
    expect(writable.length).toBeGreaterThan(0);
    for (const flag of writable) expect(flag).toMatch(/^--bind \/data\/hermes-a\//);
  });

  it('show of /etc only what is listed or made for the sandbox', () => {
    expect(flags.filter(flag => flag.includes('/etc/'))).toEqual([
      '--ro-bind /data/hermes-a/etc /etc/hermes',
      '--symlink /etc/hermes/passwd /etc/passwd',
      '--symlink /etc/hermes/group /etc/group',
      '--symlink /etc/hermes/hosts /etc/hosts',
      '--symlink /etc/hermes/nsswitch.conf /etc/nsswitch.conf',
    ]);
  });

  it('give every file system in memory a size', () => {
    const open = flags.flatMap((flag, at) =>
      flag.startsWith('--tmpfs') ? [[flags[at - 1], flags[at + 1]]] : [],
    );
    for (const [before, after] of open) expect([before, after].join()).toMatch(/--size|--remount-ro/);
  });

  it('put nothing into the environment but the basic variables, and the starter’s own locale', () => {
    const names = flags.filter(flag => flag.startsWith('--setenv')).map(flag => flag.split(' ')[1]);
    expect(names).toEqual(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TERM', 'LC_ALL']);
  });

  it('close the root only after everything has been put there', () => {
    expect(flags.at(-2)).toBe('--remount-ro /');
    expect(flags.at(-1)).toBe('--chdir /workspace');
  });

  it('mount what the spec says, and read-only when it says so', () => {
    const mounts = [
      { source: '/a', target: '/data/a', readOnly: true },
      { source: '/b', target: '/workspace', readOnly: false },
    ];
    const mounted = flagsOf(bwrapFlags({ ...plan, mounts }));
    expect(mounted).toContain('--ro-bind /a /data/a');
    expect(mounted.indexOf('--bind /b /workspace')).toBeGreaterThan(
      mounted.indexOf('--bind /data/hermes-a/workspace /workspace'),
    );
  });

  it('make an open network around the sandbox, never the host’s own', () => {
    const open = { ...plan, network: { info: 12, block: 13 } };
    const line = bwrapLine(open);
    expect(flagsOf(line.slice(0, line.indexOf('--')))).toEqual([
      ...['--unshare-user', '--unshare-net', '--cap-drop ALL', '--die-with-parent', '--dev-bind / /'],
      ...['--info-fd 12', '--block-fd 13'],
    ]);
    expect(line.slice(line.indexOf('--') + 1)).toEqual(['bwrap', ...bwrapLine(plan)]);
    const resolver = '--symlink /etc/hermes/resolv.conf /etc/resolv.conf';
    const without = [...flagsOf(bwrapFlags(plan)), resolver].filter(flag => flag !== '--unshare-net');
    expect(flagsOf(bwrapFlags(open)).toSorted()).toEqual(without.toSorted());
  });

  it('stand on the command line, which the sandbox sees, with nothing of the host in them but its name', () => {
    expect(bwrapLine(plan)).toEqual(['--hostname', 'hermes-a', '--args', '14', '--', 'bash', '-c', 'true']);
  });

  it('have an empty folder read-only once everything below it is there', () => {
    const system = [{ path: '/usr/local', isEmpty: true } as const, { path: '/usr/local/bin', source: '/b' }];
    const made = flagsOf(bwrapFlags({ ...plan, system }));
    const [tmpfs, bind, closed] = [
      '--tmpfs /usr/local',
      '--ro-bind /b /usr/local/bin',
      '--remount-ro /usr/local',
    ];
    expect(made.indexOf(tmpfs)).toBeLessThan(made.indexOf(bind));
    expect(made.indexOf(bind)).toBeLessThan(made.indexOf(closed));
  });

  it('do without --disable-userns where it is not known', () => {
    expect(flagsOf(bwrapFlags({ ...plan, disablesUserns: false }))).not.toContain('--disable-userns');
  });

  it('wait for the control groups when there are some, and show the count of memory kills', () => {
    const oomCount = { source: '/cg/memory.events', path: '/sys/fs/cgroup/memory.events' };
    const joined = flagsOf(bwrapFlags({ ...plan, oomCount, fds: { ...plan.fds, block: 5 } }));
    expect(joined).toContain('--block-fd 5');
    expect(joined).toContain('--ro-bind /cg/memory.events /sys/fs/cgroup/memory.events');
  });
});
