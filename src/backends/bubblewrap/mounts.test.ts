import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkMounts } from './mounts.ts';

describe('mounts', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'hermes-mounts-')));
    await mkdir(join(dir, 'home/.ssh'), { recursive: true });
    await mkdir(join(dir, 'home/.hermes/sandboxes'), { recursive: true });
    await mkdir(join(dir, 'work/inner'), { recursive: true });
    await writeFile(join(dir, 'work/file'), '');
  });
  afterEach(() => rm(dir, { recursive: true }));

  const check = (...pairs: [source: string, target: string, readOnly?: 'ro'][]) =>
    checkMounts(
      pairs.map(([source, target, mode]) => ({ source, target, readOnly: mode === 'ro' })),
      { hermesHome: join(dir, 'home/.hermes'), userHome: join(dir, 'home') },
    );

  it('are taken with links resolved', async () => {
    await symlink(join(dir, 'work'), join(dir, 'link'));
    const [mount] = await check([join(dir, 'link'), '/workspace/']);
    expect(mount).toMatchObject({ source: join(dir, 'work'), target: '/workspace', isFolder: true });
    expect((await check([join(dir, 'work/file'), '/data/file', 'ro']))[0]?.isFolder).toBe(false);
  });

  it.each([
    '/',
    '/etc',
    '/etc/ssl',
    '/proc',
    '/sys',
    '/dev',
    '/run',
    '/var',
    '/var/lib',
    '/usr/local',
    '/root',
  ])('of %s are refused', async source => {
    await expect(check([source, '/data'])).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
  });

  it.each(['home', 'home/.ssh', 'home/.hermes', 'home/.hermes/sandboxes'])(
    'that hand over keys or Hermes itself are refused: %s',
    async source => {
      await expect(check([join(dir, source), '/data'])).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
      });
    },
  );

  it('are refused when a link leads to such a place', async () => {
    await symlink('/etc', join(dir, 'harmless'));
    await expect(check([join(dir, 'harmless'), '/data'])).rejects.toThrow('/etc');
  });

  it('are refused when the source is missing, relative or no file', async () => {
    await expect(check([join(dir, 'missing'), '/data'])).rejects.toThrow('does not exist');
    await expect(check(['work', '/data'])).rejects.toThrow('absolute');
  });

  it.each(['/', '/usr', '/etc/x', '/proc', '/tmp/x', '/run', '/workspace/inner', '/home/hermes', 'data'])(
    'cannot stand at %s',
    async target => {
      await expect(check([join(dir, 'work'), target])).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    },
  );

  it('cannot stand in, or come from, a folder that the sandbox can write', async () => {
    const work = join(dir, 'work');
    const inner = join(dir, 'work/inner');
    await expect(check([work, '/data'], [inner, '/other', 'ro'])).rejects.toThrow('can write');
    await expect(check([work, '/data'], [join(dir, 'work/file'), '/data/x', 'ro'])).rejects.toThrow(
      'can write',
    );
    await expect(check([work, '/data'], [work, '/data', 'ro'])).rejects.toThrow('same place');
    await expect(check([work, '/data', 'ro'], [inner, '/other', 'ro'])).resolves.toHaveLength(2);
  });
});
