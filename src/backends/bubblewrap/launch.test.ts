import { describe, expect, it } from 'vitest';
import { type Launch, launchCommand, reachableMounts, reachableSystem } from './launch.ts';

const launch: Launch = {
  folder: '/top/hermes-a',
  uid: 2_000_000_001,
  gid: 2_000_000_001,
  asRoot: true,
  mounts: [],
  root: undefined,
  identities: new Map([['/root/work', '1:2']]),
  join: ['/cg/cgroup.procs'],
  isSetuid: false,
};
const mount = {
  source: '/root/work',
  target: '/workspace',
  readOnly: false,
  uid: 1000,
  gid: 1000,
  isFolder: true,
};
const bwrap = (joins: boolean) => ({ line: ['--args', '14'], flags: [joins ? '--block-fd' : '--no-block'] });

describe('the launch of a sandbox', () => {
  it('starts bubblewrap as the sandbox’s own user when started as root', () => {
    expect(launchCommand(launch, bwrap)).toEqual({
      argv: ['bwrap', '--args', '14'],
      flags: ['--block-fd'],
      user: { uid: 2_000_000_001, gid: 2_000_000_001 },
      join: ['/cg/cgroup.procs'],
    });
  });

  it('stays who it is when started as an ordinary user', () => {
    expect(launchCommand({ ...launch, asRoot: false, join: [] }, bwrap)).toEqual({
      argv: ['bwrap', '--args', '14'],
      flags: ['--no-block'],
      join: [],
    });
  });

  it('as root puts mounts where the sandbox’s user reaches them, then drops everything', () => {
    const { argv, user } = launchCommand({ ...launch, mounts: [mount] }, bwrap);
    expect(user).toBeUndefined();
    expect(argv.slice(0, 5)).toEqual(['unshare', '--mount', '--', 'sh', '-c']);
    expect(argv.slice(7)).toEqual([
      ...['1', '/cg/cgroup.procs', '1', '/root/work', '/top/hermes-a/places/0', '1:2'],
      ...['setpriv', '--reuid', '2000000001', '--regid', '2000000001', '--clear-groups', '--no-new-privs'],
      ...['--pdeathsig', 'KILL', '--', 'bwrap', '--args', '14'],
    ]);
    expect(reachableMounts({ ...launch, mounts: [mount] })[0]?.source).toBe('/top/hermes-a/places/0');
  });

  it('as root does the same with an unpacked root', () => {
    const moved = { ...launch, root: '/root/trees/debian' };
    const system = [
      { path: '/usr', source: '/root/trees/debian/usr' },
      { path: '/bin', linkTo: 'usr/bin' },
    ];
    expect(reachableSystem(moved, system)).toEqual([
      { path: '/usr', source: '/top/hermes-a/places/root/usr' },
      { path: '/bin', linkTo: 'usr/bin' },
    ]);
  });

  it('takes the power from a setuid bubblewrap', () => {
    const { argv } = launchCommand({ ...launch, asRoot: false, isSetuid: true }, bwrap);
    expect(argv).toContain('--no-new-privs');
    expect(argv).not.toContain('--reuid');
  });
});
