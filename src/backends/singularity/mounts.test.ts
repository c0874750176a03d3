import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkMounts } from './mounts.ts';

describe('mounts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mounts-')));
    await symlink('/etc', join(folder, 'link'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const check = (source: string, target: string, own: string[] = []) =>
    checkMounts([{ source, target, readOnly: false }], { own, userHome: undefined });

  it('may be folders of people, at places of their own or at the workspace', async () => {
    expect(await check(folder, '/data/')).toEqual([{ source: folder, target: '/data', readOnly: false }]);
    expect(await check(folder, '/workspace')).toHaveLength(1);
  });

  it.each(['/etc', '/', '/proc/self', '/usr/bin'])('must not hand over %s', async source => {
    await expect(check(source, '/data')).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
  });

  it('are judged by where links lead', async () => {
    await expect(check(join(folder, 'link'), '/data')).rejects.toThrow('hand /etc to the sandbox');
  });

  it.each(['/usr/x', '/tmp', '/run/hermes', '/home/hermes', '/workspace/x', 'data', '/a:b'])(
    'cannot stand at %s',
    async target => {
      await expect(check(folder, target)).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    },
  );

  it('must not hold, or be in, a folder of ours', async () => {
    await expect(check(folder, '/data', [join(folder, 'x')])).rejects.toThrow('to the sandbox');
    await expect(check(folder, '/data', [folder])).rejects.toThrow('to the sandbox');
  });
});
