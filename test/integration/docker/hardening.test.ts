// What a container really is, seen from inside.
import { readlink } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { SandboxHandle } from '../../../src/index.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';

const linesOf = async (handle: SandboxHandle, command: string): Promise<string[]> =>
  (await handle.exec(command)).stdout.trimEnd().split('\n');

describeWith('image-bookworm', address => {
  it('has no capabilities, gains no privileges and is filtered', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open();
    const status = await linesOf(
      handle,
      'grep -E "^(Cap|NoNewPrivs|Seccomp):?" /proc/self/status | tr -d "\\t"',
    );
    expect(status.filter(line => line.startsWith('Cap'))).toEqual([
      'CapInh:0000000000000000',
      'CapPrm:0000000000000000',
      'CapEff:0000000000000000',
      'CapBnd:0000000000000000',
      'CapAmb:0000000000000000',
    ]);
    expect(status).toContain('NoNewPrivs:1');
    expect(status).toContain('Seccomp:2');
    expect(await linesOf(handle, 'ulimit -n; ulimit -c; cat /proc/1/comm')).toEqual([
      '16384',
      '0',
      'docker-init',
    ]);
  });

  it('has small temporary folders, and no network at all', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open({ network: 'none' });
    const sizes = await linesOf(
      handle,
      'df --block-size=1M --output=target,size /tmp /var/tmp /run /dev/shm | tail -n +2 | tr -s " "',
    );
    expect(sizes).toEqual(['/tmp 512', '/var/tmp 256', '/run 64', '/dev/shm 64']);
    const options = await linesOf(handle, 'grep -E " /(tmp|var/tmp|run) " /proc/mounts');
    expect(options).toHaveLength(3);
    for (const line of options) expect(line).toMatch(/nosuid,nodev/);
    expect(
      await linesOf(handle, 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "; wc -l </proc/net/route'),
    ).toEqual(['lo', '1']);
    expect((await handle.exec('cp /bin/true /tmp/t && /tmp/t')).exitCode).toBe(0);
  });

  it('shares no namespace with the host', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open();
    for (const kind of ['pid', 'net', 'ipc', 'uts', 'mnt', 'cgroup']) {
      const inside = (await handle.exec(`readlink /proc/self/ns/${kind}`)).stdout.trim();
      expect(inside).not.toBe(await readlink(`/proc/self/ns/${kind}`));
    }
  });
});

describeWith('image-bookworm', address => {
  it('ends what takes more memory than allowed, says so, and goes on', async () => {
    await using ground = await DockerGround.make(address());
    const { handle, sandbox } = await ground.open({ limits: { memoryMiB: 64 } });
    const result = await handle.exec(`python3 -c 'a = bytearray(200 * 1024 * 1024)'`);
    // bash itself may be the one that was ended, or tell of its child.
    expect(result.outOfMemory === true || result.exitCode === 137).toBe(true);
    const direct = await handle.exec(`exec python3 -c 'a = bytearray(200 * 1024 * 1024)'`);
    expect(direct).toMatchObject({ outcome: 'signaled', signal: 'SIGKILL', outOfMemory: true });
    expect((await handle.exec('echo on')).stdout).toBe('on\n');
    expect(sandbox.enforcement.memory).toBe('enforced');
  });

  it('holds the number of processes, and goes on', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open({ limits: { processes: 40 } });
    const forks = [
      'import os, signal',
      'children = []',
      'try:',
      '  for _ in range(60):',
      '    pid = os.fork()',
      '    if pid == 0: signal.pause()',
      '    children.append(pid)',
      'except BlockingIOError: pass',
      'print(len(children), flush=True)',
      'for pid in children: os.kill(pid, 9)',
    ];
    const started = Number((await handle.exec('python3 -', { stdin: forks.join('\n') })).stdout);
    expect(started).toBeGreaterThan(10);
    expect(started).toBeLessThan(40);
    expect((await handle.exec('echo on')).stdout).toBe('on\n');
  });

  it('has 256 processes and the limits of the settings by default', async () => {
    await using ground = await DockerGround.make(address());
    const { handle, sandbox } = await ground.open({}, { TERMINAL_CONTAINER_CPU: '64' });
    const [pids, memory] = await linesOf(
      handle,
      'cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null; cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null',
    );
    expect([pids, memory]).toEqual(['256', String(256 * 1024 * 1024)]);
    expect(['enforced', 'none']).toContain(sandbox.enforcement.disk);
  });
});
