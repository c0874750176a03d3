// Disk limits where the engine can hold them, and an engine whose own disk is full.
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

const FILL = 'dd if=/dev/zero of=/workspace/fill bs=1M count=900 2>&1';

describeWith('docker-loopback', address => {
  /** Why the engine's file system does not serve here; undefined when it does. */
  async function notRun(): Promise<string | undefined> {
    const driver = await dockerCommand(address().docker, 'info', '--format', '{{.Driver}}');
    return driver.trim() === 'btrfs' ? undefined : `not run: the engine stores with ${driver.trim()}`;
  }

  it('holds the disk limit and says so', async ({ skip }) => {
    const why = await notRun();
    if (why !== undefined) return skip(why);
    await using ground = await DockerGround.make(address());
    const { handle, sandbox } = await ground.open({ limits: { diskMiB: 40 } });
    expect(sandbox.enforcement.disk).toBe('enforced');
    const { stdout } = await handle.exec(`${FILL}; stat -c "%s bytes" fill; rm fill`);
    expect(stdout).toMatch(/quota exceeded|No space/);
    const bytes = Number(/^(\d+) bytes$/m.exec(stdout)?.[1]);
    expect(bytes).toBeGreaterThan(20 * 1024 * 1024);
    expect(bytes).toBeLessThan(41 * 1024 * 1024);
    const found = await (await ground.backend()).attach(sandbox.ref);
    expect(found.enforcement.disk).toBe('enforced');
  });

  it('explains that the disk of the engine is full, and leaves nothing', async ({ skip }) => {
    const why = await notRun();
    if (why !== undefined) return skip(why);
    await using ground = await DockerGround.make(address());
    const sandbox = await ground.create(await ground.backend());
    const filling = await sandbox.spawn(['sh', '-c', `${FILL}; echo full; read line; rm fill; sync`]);
    const isFull = Promise.withResolvers<void>();
    filling.onOutput((_, data) => String(Buffer.from(data)).includes('full\n') && isFull.resolve());
    await within(isFull.promise, 'the disk to be full');
    try {
      await expect(ground.open()).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
        message: expect.stringMatching(/disk is full.*docker system prune/),
      });
      expect(await listed(await ground.backend(), ground.installation)).toEqual([sandbox.ref]);
    } finally {
      await filling.write(Buffer.from('\n'));
      await filling.exit;
    }
    const { handle } = await ground.open();
    expect((await handle.exec('echo on')).stdout).toBe('on\n');
  });
});
