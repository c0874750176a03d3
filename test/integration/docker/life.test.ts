// The life of containers: suspended, found again, ended.
import { expect, it } from 'vitest';
import type { SandboxRef } from '../../../src/index.ts';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

describeWith('image-bookworm', address => {
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);
  const containers = async (filter: string): Promise<string> =>
    (await docker('ps', '--all', '--format', '{{.Names}}', '--filter', filter)).trim();

  it('keeps its files while it is suspended', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    await handle.exec('echo kept >file');
    await handle.detach();
    await sandbox.suspend?.();
    expect((await docker('inspect', '--format', '{{.State.Status}}', sandbox.ref.name)).trim()).toBe(
      'exited',
    );
    await sandbox.suspend?.();
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await sandbox.resume?.();
    await sandbox.resume?.();
    const again = await ground.enter(sandbox);
    expect((await again.exec('cat file; pwd')).stdout).toBe('kept\n/workspace\n');
    expect((await again.exec('sleep 30', { timeoutMs: 100 })).outcome).toBe('timed-out');
  });

  it('is started when it is found stopped, with the same folder', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open({ cwd: '/workspace/deep', session: 'console:1' });
    await handle.exec('echo kept >file');
    await handle.detach();
    await sandbox.suspend?.();
    const other = await ground.backend();
    const [ref] = await listed(other, ground.installation);
    expect(ref).toEqual(sandbox.ref);
    const found = await other.attach(JSON.parse(JSON.stringify(ref)) as SandboxRef); // plain JSON by contract
    expect(found.workdir).toBe('/workspace/deep');
    expect(found.enforcement).toEqual(sandbox.enforcement);
    expect((await (await ground.enter(found)).exec('cat file')).stdout).toBe('kept\n');
  });

  it('does not outlive its stop when it is not to be kept, whoever stops it', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const one = await ground.create(backend, { persistent: false });
    const other = await ground.create(backend, { persistent: false });
    await one.suspend?.();
    await docker('kill', other.ref.name);
    await expect.poll(() => listed(backend, ground.installation)).toEqual([]);
    await expect(one.resume?.()).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await expect(backend.attach(other.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('leaves nothing after destroy, whatever it made', async () => {
    await using ground = await DockerGround.make(address());
    const volumes = await docker('volume', 'ls', '--quiet');
    const { sandbox, handle } = await ground.open();
    await handle.exec('sleep 100 & disown');
    await handle.destroy();
    await sandbox.destroy();
    expect(await containers(`label=hermes.installation=${ground.installation}`)).toBe('');
    expect(await docker('volume', 'ls', '--quiet')).toBe(volumes);
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await expect((await ground.backend()).attach(sandbox.ref)).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
    });
  });
});
