// Folders of the host in a container.
import { chown, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';

describeWith('image-bookworm', address => {
  it('runs as the owner of what is mounted at the workspace', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'project');
    await mkdir(source);
    await writeFile(join(source, 'there'), 'before');
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(source, 1234, 1235);
    const mounts = [{ source, target: '/workspace', readOnly: false }];
    const { handle } = await ground.open({ mounts });
    expect((await handle.exec('cat there; echo made >new; id -u')).stdout).toBe(
      `before${isRoot ? 1234 : process.getuid?.()}\n`,
    );
    expect(await readFile(join(source, 'new'), 'utf8')).toBe('made\n');
    expect((await stat(join(source, 'new'))).uid).toBe((await stat(source)).uid);
  });

  it('does not write to what is mounted read-only', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'data');
    await mkdir(source);
    const { handle } = await ground.open({ mounts: [{ source, target: '/data', readOnly: true }] });
    expect((await handle.exec('touch /data/x')).stderr).toContain('Read-only');
  });

  it('mounts nothing that hands over the host, unless the operator says so, and then warns', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'innocent');
    await symlink('/etc', source);
    const mounts = [{ source, target: '/data', readOnly: true }];
    await expect(ground.open({ mounts })).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('docker_allow_dangerous_volumes'),
    });
    const { handle } = await ground.open({ mounts }, { TERMINAL_DOCKER_ALLOW_DANGEROUS_VOLUMES: 'true' });
    expect((await handle.exec('test -e /data/passwd')).exitCode).toBe(0);
    expect(ground.said.join()).toMatch(/Warning: \/etc/);
  });
});
