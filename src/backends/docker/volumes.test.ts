import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkMount, dangerOf, parseVolume } from './volumes.ts';

const places = { userHome: '/home/me', hermesHome: '/srv/hermes', engineSocket: '/engine/docker.sock' };
const here = { mayBeElsewhere: false };

describe('parseVolume', () => {
  it('reads source, target and mode', () => {
    expect(parseVolume('/data:/mnt/data:ro', undefined)).toEqual({
      source: '/data',
      target: '/mnt/data',
      readOnly: true,
    });
    expect(parseVolume('~/x:/y/', '/home/me')).toEqual({
      source: '/home/me/x',
      target: '/y',
      readOnly: false,
    });
  });

  it.each(['data:/x', '/data:x', '/data', '/a:/b:rx', '/a:/b:ro:z', ''])('refuses %j', text => {
    expect(() => parseVolume(text, '/home/me')).toThrow(/not accepted/);
  });
});

describe('dangerOf', () => {
  it.each([
    ...['/', '/etc', '/etc/ssl', '/proc', '/sys/kernel', '/dev/', '/var/run/docker.sock', '/run/user/1000'],
    ...['/home', '/home/me', '/home/me/.ssh', '/home/me/.aws/sso', '/home/me/.gnupg', '/root/.ssh', '/root'],
    ...['/home/other/.ssh', '/usr', '/usr/lib/systemd/system', '/bin', '/lib64', '/var/spool/cron'],
    ...[
      '/srv/hermes',
      '/srv/hermes/store',
      '/srv',
      '/engine/docker.sock',
      '/engine',
      '/var',
      '/var/lib/docker',
    ],
  ])('warns of %s', path => {
    expect(dangerOf(path, places)).toBeTypeOf('string');
  });

  it.each(['/home/me/project', '/srv/data', '/etcetera', '/tmp/x', '/opt', '/home/me/.sshx'])(
    'allows %s',
    path => {
      expect(dangerOf(path, places)).toBeUndefined();
    },
  );
});

describe('checkMount', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'volumes-')));
    await mkdir(join(folder, 'data'));
    await symlink('/etc', join(folder, 'innocent'));
    await symlink('data', join(folder, 'link'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const mount = (name: string, target = '/workspace') => ({
    source: join(folder, name),
    target,
    readOnly: false,
  });

  it('follows links and tells the owner', async () => {
    const found = await checkMount(mount('link', '/workspace/'), places, here);
    expect(found).toMatchObject({ source: join(folder, 'data'), target: '/workspace' });
    expect(found.owner?.uid).toBe(process.getuid?.());
    expect(found.danger).toBeUndefined();
  });

  it('finds the danger behind a link', async () => {
    expect((await checkMount(mount('innocent'), places, here)).danger).toContain('/etc');
  });

  it('finds the danger of a socket wherever it is', async () => {
    const server = createServer().listen(join(folder, 'some.sock'));
    try {
      expect((await checkMount(mount('some.sock'), places, here)).danger).toContain('socket');
    } finally {
      server.close();
    }
  });

  it('refuses a source that does not exist', async () => {
    await expect(checkMount(mount('none'), places, here)).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
    });
  });

  it('leaves a source that is not here to an engine elsewhere, but not its danger', async () => {
    const found = await checkMount(mount('none'), places, { mayBeElsewhere: true });
    expect(found.owner).toBeUndefined();
    const dangerous = { source: '/etc/no-such-thing', target: '/x', readOnly: false };
    expect((await checkMount(dangerous, places, { mayBeElsewhere: true })).danger).toBeDefined();
  });

  it.each(['relative', '/', '//'])('refuses the target %s', async target => {
    await expect(checkMount(mount('data', target), places, here)).rejects.toThrow(/absolute/);
  });
});
