// Limits of bubblewrap sandboxes, seen to hold: by control groups as root, by limits of processes elsewhere.
import { execFileSync } from 'node:child_process';
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

  it.each([
    ['forks in one program', `perl -e 'while (1) { fork }'`],
    [
      'casts off group, session, parent and environment',
      `echo 'while :; do env -i setsid -f bash /tmp/bomb; done' >/tmp/bomb; bash /tmp/bomb`,
    ],
  ])('recovers from a fork bomb that %s', async (_how, bomb) => {
    const { handle } = await ground().open();
    for (const persistent of [false, true]) {
      const ended = await handle.exec(bomb, { timeoutMs: 1_000, persistent });
      expect(ended.outcome).toBe('timed-out');
      const next = await handle.exec('echo "$(echo alive)"', { timeoutMs: 15_000, persistent });
      expect(next).toMatchObject({ outcome: 'exited', stdout: 'alive\n' });
    }
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

  it.skipIf(!isRoot)('tells that memory ran out whatever the exit code, also of jobs', async () => {
    const { handle } = await ground().open({ limits: { memoryMiB: 64 } });
    const hungry = 'perl -e \'$x = "a" x (256 << 20)\'';
    for (const persistent of [false, true]) {
      const result = await handle.exec(`${hungry}; exit_code=$?; true`, { persistent });
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, outOfMemory: true });
      expect((await handle.exec('true', { persistent })).outOfMemory).toBeUndefined();
    }
    const ends = async (command: string) => await (await handle.start(command)).wait();
    expect(await ends(`${hungry}; exit 3`)).toEqual({ state: 'exited', exitCode: 3, outOfMemory: true });
    expect(await ends(`exec ${hungry}`)).toEqual({ state: 'signaled', signal: 9, outOfMemory: true });
    expect(await ends('exit 3')).toEqual({ state: 'exited', exitCode: 3 });
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

  it('limits the size of a single file', async () => {
    const { handle } = await ground().open({ limits: { diskMiB: 16 } });
    // Without a block on the disk, which is watched.
    const result = await handle.exec(
      'truncate -s 16M most && stat -c %s most; truncate -s 17M more || echo refused',
    );
    expect(result.stdout).toBe(`${16 * 1024 * 1024}\nrefused\n`);
    await handle.destroy();
  });
});

describeGround('the disk', ground => {
  const usedMiB = (folder: string): number =>
    Number.parseInt(execFileSync('du', ['-sm', folder]).toString(), 10);
  /** At most 1 GB, in files that are allowed each. */
  const fill = 'for ((i = 0; i < 32; i++)); do head -c 32M /dev/zero >$i || exit; done; sleep 20';

  it('is watched: whoever fills it loses their processes, and is told why', async () => {
    const { handle, sandbox, folder } = await ground().open({ limits: { diskMiB: 64 } });
    expect(sandbox.enforcement.disk).toBe('soft');
    const result = await handle.exec(fill);
    expect(result.outcome).toBe('sandbox-lost');
    expect(result.notices.join()).toMatch(/it used \d+ MiB of disk, and 64 are allowed/);
    expect(usedMiB(folder)).toBeLessThan(700);
    await expect(handle.exec('true')).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('and 64 are allowed'),
    });
    await sandbox.destroy();
  });

  it('can be tidied up afterwards, and filled no further before', async () => {
    const full = await ground().open({ limits: { diskMiB: 64 } });
    expect((await full.handle.exec(fill)).outcome).toBe('sandbox-lost');
    const again = await ground().enter(await ground().backend.attach(full.sandbox.ref));
    const more = 'for ((i = 100; i < 108; i++)); do head -c 32M /dev/zero >$i || exit; done; sleep 20';
    expect((await again.handle.exec(more)).outcome).toBe('sandbox-lost');
    const tidied = await ground().enter(await ground().backend.attach(full.sandbox.ref));
    expect(await tidied.run('rm *; head -c 40M /dev/zero >kept; sleep 0.5; ls')).toBe('kept');
    await tidied.sandbox.destroy();
  });

  it('counts files that are deleted and still open', async () => {
    const { handle, sandbox } = await ground().open({ limits: { diskMiB: 64 } });
    const hidden =
      'for fd in 20 21 22 23; do eval "exec $fd>hidden"; rm hidden; head -c 32M /dev/zero >&$fd; done; sleep 20';
    expect((await handle.exec(hidden)).outcome).toBe('sandbox-lost');
    await sandbox.destroy();
  });

  it.skipIf(!isRoot)('counts files that are deleted and only mapped', async () => {
    const { handle, sandbox } = await ground().open({ limits: { diskMiB: 64 } });
    const mapped = `import ctypes, os, time
libc = ctypes.CDLL(None)
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
for i in range(16):
    f = os.open("hidden", os.O_RDWR | os.O_CREAT); os.unlink("hidden")
    os.write(f, bytes(32 << 20)); libc.mmap(None, 32 << 20, 3, 1, f, 0); os.close(f)
time.sleep(20)`;
    expect((await handle.exec('python3 -', { stdin: mapped })).outcome).toBe('sandbox-lost');
    await sandbox.destroy();
  });

  it('counts files that are deleted and on their way from one process to another', async () => {
    const { handle, sandbox } = await ground().open({ limits: { diskMiB: 64 } });
    const flying = `import os, socket, time
one, other = socket.socketpair()
for i in range(16):
    f = os.open("hidden", os.O_RDWR | os.O_CREAT); os.unlink("hidden")
    os.write(f, bytes(32 << 20)); socket.send_fds(one, [b"x"], [f]); os.close(f)
time.sleep(20)`;
    const result = await handle.exec('python3 -', { stdin: flying });
    expect(result.outcome).toBe('sandbox-lost');
    expect(result.notices.join()).toMatch(/it used \d+ MiB of disk, and 64 are allowed/);
    await sandbox.destroy();
  });
});
