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

  it('lets no command leave a set-user-id program in what is mounted for writing', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'project');
    await mkdir(source);
    const { handle } = await ground.open({ mounts: [{ source, target: '/workspace', readOnly: false }] });
    const result = await handle.exec(
      'cp /bin/true t; chmod 755 t && chmod u+s t; chmod g+s t; mkdir -m 2755 d',
    );
    expect(result.stderr.match(/Operation not permitted/g)?.length).toBeGreaterThanOrEqual(2);
    expect((await stat(join(source, 't'))).mode & 0o7777).toBe(0o755);
    const free = await ground.open();
    expect((await free.handle.exec('cp /bin/true t && chmod u+s t && stat -c %a t')).stdout).toBe('4755\n');
  });
});

describeWith('runsc', address => {
  it('is not root for a mount where no filter of ours holds', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'project');
    await mkdir(source);
    const mounts = [{ source, target: '/data', readOnly: false }];
    const settings = { TERMINAL_DOCKER_RUNTIME: address().runtime };
    if (process.getuid?.() === 0) {
      await expect(ground.open({ mounts }, settings)).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
        message: expect.stringContaining('leaving a set-user-id program there'),
      });
      await chown(source, 1234, 1235);
    }
    await ground.open({ mounts }, settings);
    expect(ground.said.join()).toContain(
      'Warning: nothing keeps commands from leaving a set-user-id program',
    );
  });
});
