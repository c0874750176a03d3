// The same backend on Podman's socket, as far as Podman's API goes.
import { chown, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { DockerGround } from './ground.ts';
import { listed } from './listed.ts';

describeWith('podman', address => {
  it('runs commands, hardened and limited', async () => {
    await using ground = await DockerGround.make(address());
    expect(await (await ground.backend()).check()).toEqual([]);
    const { handle, sandbox } = await ground.open({ limits: { processes: 60, memoryMiB: 128 } });
    const status = (await handle.exec('grep -E "^(Cap|NoNew|Seccomp:)" /proc/self/status')).stdout;
    expect(status.replaceAll('\t', ' ').trim().split('\n')).toEqual([
      ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(name => `${name}: 0000000000000000`),
      'NoNewPrivs: 1',
      'Seccomp: 2',
    ]);
    const limits = await handle.exec(
      'cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null; cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null; ulimit -n; ulimit -c',
    );
    expect(limits.stdout).toBe(`60\n${128 * 1024 * 1024}\n16384\n0\n`);
    expect(sandbox.enforcement).toMatchObject({
      cpus: 'enforced',
      memory: 'enforced',
      processes: 'enforced',
    });
    const sizes = await handle.exec("df -m /tmp /var/tmp /run | awk 'NR > 1 { print $6, $2 }'");
    expect(sizes.stdout).toBe('/tmp 512\n/var/tmp 256\n/run 64\n');
  });

  it('passes input, output and exit codes, keeps the shell, and ends trees', async () => {
    await using ground = await DockerGround.make(address());
    const { handle, sandbox } = await ground.open({ env: { TOKEN: 's3cret' } });
    expect(await handle.exec('cat; echo "$TOKEN" >&2; exit 3', { stdin: 'in' })).toMatchObject({
      ...{ outcome: 'exited', exitCode: 3, stdout: 'in', stderr: 's3cret\n' },
    });
    expect(await dockerCommand(address().docker, 'inspect', sandbox.ref.name)).not.toContain('s3cret');
    await handle.exec('x=5; cd /tmp', { persistent: true });
    expect((await handle.exec('echo $x $PWD', { persistent: true })).stdout).toBe('5 /tmp\n');
    expect((await handle.exec('sleep 77 & sleep 77', { timeoutMs: 200 })).outcome).toBe('timed-out');
    expect((await handle.exec('ps -o args | grep -c "[s]leep 77"')).stdout).toBe('0\n');
    await expect(sandbox.spawn(['no-such-program'])).rejects.toMatchObject({
      code: 'SANDBOX_PROGRAM_MISSING',
    });
    await handle.writeFile('f', Buffer.from([0, 255, 10]));
    expect([...(await handle.readFile('f'))]).toEqual([0, 255, 10]);
  });

  it('is suspended, found again and removed', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open({ session: 'console:1' });
    await handle.exec('echo kept >file; x=6', { persistent: true });
    await handle.detach();
    await sandbox.suspend?.();
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    const backend = await ground.backend();
    expect(await listed(backend, ground.installation)).toEqual([sandbox.ref]);
    const again = await ground.enter(await backend.attach(sandbox.ref));
    expect((await again.exec('cat file; echo $x', { persistent: true })).stdout).toBe('kept\n6\n');
    await again.destroy();
    expect(await listed(backend, ground.installation)).toEqual([]);
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });
});

describeWith('podman', address => {
  it('tells sandbox-lost when it is killed from outside', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    const started = Promise.withResolvers<void>();
    const running = handle.exec('echo started; sleep 60', { onOutput: () => started.resolve() });
    await within(started.promise, 'the command to start');
    await dockerCommand(address().docker, 'rm', '--force', sandbox.ref.name);
    expect(await running).toMatchObject({ outcome: 'sandbox-lost', stdout: 'started\n' });
    await expect(handle.exec('true')).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('runs as the owner of what is mounted, and refuses what is not there', async () => {
    await using ground = await DockerGround.make(address());
    const source = join(ground.home, 'project');
    await mkdir(source);
    await chown(source, 1234, 1235);
    const mounts = [{ source, target: '/workspace', readOnly: false }];
    const { handle } = await ground.open({ mounts });
    expect((await handle.exec('echo made >new; id -u')).stdout).toBe('1234\n');
    expect(await readFile(join(source, 'new'), 'utf8')).toBe('made\n');
    expect((await stat(join(source, 'new'))).uid).toBe(1234);
    const none = join(ground.home, 'none');
    const missing = [{ source: none, target: '/x', readOnly: true }];
    await expect(ground.open({ mounts: missing })).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    await expect(stat(none)).rejects.toThrow('ENOENT');
  });

  it('refuses a folder that is another one where Podman runs, or was made by it', async () => {
    await using ground = await DockerGround.make(address());
    // Podman's own /run stands over the one that is seen here.
    const source = await mkdtemp('/run/hermes-test-');
    try {
      const mounts = [{ source, target: '/data', readOnly: true }];
      const settings = { TERMINAL_DOCKER_ALLOW_DANGEROUS_VOLUMES: 'true' };
      await expect(ground.open({ mounts }, settings)).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
        message: expect.stringContaining('another folder than the one that Hermes checked'),
      });
      expect(await listed(await ground.backend(), ground.installation)).toEqual([]);
    } finally {
      await rm(source, { recursive: true });
    }
  });

  it('explains an image that nobody has', async () => {
    await using ground = await DockerGround.make(address());
    await expect(ground.open({ image: 'localhost:1/none:1' })).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('localhost:1/none:1'),
    });
  });
});
