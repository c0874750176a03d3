import { describe, expect, it } from 'vitest';
import { type Info, infoAnswer } from './answers.ts';
import { limitProblems } from './check.ts';
import { isOlder } from './engine.ts';
import { foldersFor } from './folders.ts';
import { withTag } from './image.ts';
import { enforcementOf, isRootless, networkOf, userOf } from './plan.ts';
import { firstFile, tarOfFolders } from './tar.ts';
import { accountOf } from './user.ts';

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1001::/home/node:/bin/bash\n';
const GROUP = 'root:x:0:\nstaff:x:50:\n';
const full: Info = infoAnswer.parse({
  NCPU: 2,
  MemoryLimit: true,
  SwapLimit: true,
  CpuCfsQuota: true,
  PidsLimit: true,
  SecurityOptions: ['name=seccomp,profile=default'],
});
const mountOf = (uid: number, gid: number) => [
  { source: '/s', target: '/workspace', readOnly: false, owner: { uid, gid } },
];

describe('the user of a container', () => {
  const given = { configured: undefined, mounts: [], ofImage: 'daemon', rootless: undefined };
  const [workspace] = mountOf(7, 8);
  const data = { source: '/d', target: '/data', readOnly: false, owner: { uid: 9, gid: 10 } };

  it('is that of the settings, else the owner of the workspace, else the image’s', () => {
    expect(userOf({ ...given, configured: 'node', mounts: mountOf(7, 8) })).toEqual({ user: 'node' });
    expect(userOf({ ...given, mounts: [data, ...mountOf(7, 8)] })).toEqual({
      user: '7:8',
      ownerOf: workspace,
    });
    expect(userOf(given)).toEqual({ user: 'daemon' });
  });

  it('is the owner of other mounts when there is one owner, and they can be written', () => {
    expect(userOf({ ...given, mounts: [data] })).toEqual({ user: '9:10', ownerOf: data });
    const foreign = { ...data, target: '/more', owner: { uid: 11, gid: 10 } };
    expect(userOf({ ...given, mounts: [data, foreign] })).toEqual({ user: 'daemon' });
    expect(userOf({ ...given, mounts: [{ ...data, readOnly: true }] })).toEqual({ user: 'daemon' });
  });

  it('is root on a rootless engine where the folder is ours', () => {
    expect(userOf({ ...given, mounts: mountOf(7, 8), rootless: 7 }).user).toBe('0:0');
    expect(userOf({ ...given, mounts: mountOf(7, 8), rootless: 1000 }).user).toBe('7:8');
    expect(isRootless(full)).toBe(false);
    expect(isRootless({ ...full, SecurityOptions: ['name=seccomp', 'name=rootless'] })).toBe(true);
  });

  it.each([
    ['', { uid: 0, gid: 0, home: '/root' }],
    ['root', { uid: 0, gid: 0, home: '/root' }],
    ['node', { uid: 1000, gid: 1001, home: '/home/node' }],
    ['1000', { uid: 1000, gid: 1001, home: '/home/node' }],
    ['1000:7', { uid: 1000, gid: 7, home: '/home/node' }],
    ['node:staff', { uid: 1000, gid: 50, home: '/home/node' }],
    ['4242', { uid: 4242, gid: 0 }],
    ['4242:43', { uid: 4242, gid: 43 }],
    ['nobody-here', undefined],
    ['node:nogroup-here', undefined],
  ])('has numbers and a home for %j', (user, account) => {
    expect(accountOf(user, PASSWD, GROUP)).toEqual(account);
  });
});

describe('the folders of a container', () => {
  const account = { uid: 5, gid: 6 };

  it('belong to its user, who gets a home if the image has none', () => {
    expect(foldersFor({ account, workdir: '/workspace', mounted: [] })).toEqual([
      { path: '/workspace', mode: 0o755, uid: 5, gid: 6 },
      { path: '/.hermes', mode: 0o700, uid: 5, gid: 6 },
      { path: '/home/hermes', mode: 0o700, uid: 5, gid: 6 },
    ]);
  });

  it('leave alone what is mounted from the host', () => {
    const known = { ...account, home: '/home/node' };
    const folders = foldersFor({ account: known, workdir: '/workspace/sub', mounted: ['/workspace'] });
    expect(folders.map(({ path }) => path)).toEqual(['/.hermes']);
  });

  it('travel as an archive that says what it should', () => {
    const tar = tarOfFolders([{ path: '/workspace', mode: 0o755, uid: 1000, gid: 1000 }], { modified: 1 });
    expect(tar.length).toBe(1536);
    expect(tar.toString('latin1', 0, 11)).toBe('workspace/\0');
    expect(tar.toString('latin1', 100, 124)).toBe('0000755\x000001750\x000001750\0');
    expect(firstFile(tar)).toBeUndefined();
  });
});

describe('the engine', () => {
  it('is asked for latest where an image has no tag, and for what it says otherwise', () => {
    expect(withTag('debian')).toBe('debian:latest');
    expect(withTag('reg:5000/a/b')).toBe('reg:5000/a/b:latest');
    expect(withTag('reg:5000/a/b:1')).toBe('reg:5000/a/b:1');
    expect(withTag('a@sha256:00')).toBe('a@sha256:00');
  });

  it('has versions that compare as numbers', () => {
    expect(isOlder('1.9', '1.41')).toBe(true);
    expect(isOlder('1.47', '1.41')).toBe(false);
    expect(isOlder('2.0', '1.41')).toBe(false);
  });

  it('is said to hold only the limits that it holds', () => {
    expect(enforcementOf(full, true)).toEqual({
      cpus: 'enforced',
      memory: 'enforced',
      disk: 'enforced',
      processes: 'enforced',
    });
    expect(enforcementOf({ ...full, SwapLimit: false }, false)).toMatchObject({
      memory: 'soft',
      disk: 'none',
    });
    expect(
      enforcementOf({ ...full, MemoryLimit: false, CpuCfsQuota: false, PidsLimit: false }, false),
    ).toEqual({
      cpus: 'none',
      memory: 'none',
      disk: 'none',
      processes: 'none',
    });
  });

  it('is reported when a controller or seccomp is missing', () => {
    expect(limitProblems(full)).toEqual([]);
    const problems = limitProblems({ ...full, MemoryLimit: false, SecurityOptions: [] });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('controller memory is missing'),
      expect.stringContaining('seccomp'),
    ]);
  });

  it('gets no network where the spec or the settings say none', () => {
    expect(networkOf('none', 'bridge')).toBe('none');
    expect(networkOf('open', 'none')).toBe('none');
    expect(networkOf('open', 'mine')).toBe('mine');
    expect(networkOf(undefined, 'bridge')).toBe('bridge');
  });
});
