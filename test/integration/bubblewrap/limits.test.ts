// Limits of bubblewrap sandboxes, seen to hold: by control groups as root, by limits of processes elsewhere.
import { expect, it } from 'vitest';
import { describeGround } from './ground.ts';

const isRoot = process.getuid?.() === 0;

describeGround('limits', ground => {
  it('survives a fork bomb: the next command works', async () => {
    const { handle, sandbox, run } = await ground().open({ limits: { processes: 64 } });
    expect(sandbox.enforcement.processes).toBe('enforced');
    const bomb = await handle.exec('bomb() { bomb | bomb & }; bomb; wait; sleep 5', { timeoutMs: 3_000 });
    expect(['timed-out', 'exited']).toContain(bomb.outcome);
    expect(await run('echo alive')).toBe('alive');
    await handle.destroy();
  });

  it.skipIf(!isRoot)('tells that memory ran out, and goes on', async () => {
    const { handle, sandbox, run } = await ground().open({ limits: { memoryMiB: 64 } });
    expect(sandbox.enforcement.memory).toBe('enforced');
    const result = await handle.exec('perl -e \'$x = "a" x (256 << 20); print length $x\'');
    expect(result).toMatchObject({ outcome: 'signaled', outOfMemory: true });
    expect(await run('echo alive')).toBe('alive');
    await handle.destroy();
  });

  it.skipIf(!isRoot)('counts files in memory as memory', async () => {
    const { handle } = await ground().open({ limits: { memoryMiB: 64 } });
    const result = await handle.exec('head -c 200000000 /dev/zero >/tmp/big');
    expect(result.exitCode).not.toBe(0);
    await handle.destroy();
  });

  it('has sized file systems in memory', async () => {
    const { handle, run } = await ground().open();
    const sizes = await run("df -m --output=size /tmp /var/tmp /run /dev/shm | tail -n +2 | tr -d ' '");
    expect(sizes.split('\n')).toEqual(['512', '256', '64', '64']);
    await handle.destroy();
  });

  it('limits the size of a single file, and says that this is no limit of the disk', async () => {
    const { handle, sandbox } = await ground().open({ limits: { diskMiB: 16 } });
    expect(sandbox.enforcement.disk).toBe('none');
    const result = await handle.exec('head -c 20000000 /dev/zero >big; stat -c %s big');
    expect(result.stdout.trim()).toBe(String(16 * 1024 * 1024));
    await handle.destroy();
  });
});
