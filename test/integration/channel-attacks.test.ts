// What a command can do to the shells that run it, and what impatient callers can do to a sandbox.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox, type SandboxHandle } from '../../src/index.ts';
import { column } from '../conformance/columns/local.ts';
import { LONG_MS, Trial } from '../conformance/trial.ts';
import { useDraws } from '../seed.ts';
import { PATIENCE_MS, within } from '../wait.ts';

const persistent = { persistent: true, timeoutMs: PATIENCE_MS } as const;
let folder: string;
let sandbox: SandboxHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attack-'));
  sandbox = await openSandbox({ backend: 'local', cwd: folder });
});
afterEach(async () => {
  await sandbox.destroy();
  await rm(folder, { recursive: true });
});

const next = async (): Promise<string> => (await sandbox.exec('echo next', persistent)).stdout;

describe('P10: nothing is run twice', () => {
  it('not when TMOUT ends the wait for the next command', async () => {
    await sandbox.exec('TMOUT=1; echo x >> count', persistent);
    // The shell has its own clock: after this its wait has ended, or it ends later and the test sees nothing wrong.
    await sandbox.exec('sleep 2.5');
    expect(await next()).toBe('next\n');
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('x\n');
  });

  it('not when all descriptors are closed', async () => {
    const close = 'for i in {3..255}; do eval "exec $i>&-"; done 2>/dev/null; echo ok; exit 5';
    expect(await sandbox.exec(close, persistent)).toMatchObject({ stdout: 'ok\n', exitCode: 5 });
    expect(await next()).toBe('next\n');
  });

  it('not when our own variable is made read-only', async () => {
    await sandbox.exec('readonly HERMES_COMMAND; echo a', persistent);
    expect(await sandbox.exec('echo ran >> ran; exit 7', persistent)).toMatchObject({ exitCode: 7 });
    expect(await readFile(join(folder, 'ran'), 'utf8')).toBe('ran\n');
  });
});

describe('P9: results stay true', () => {
  it('when a command kills the parent of its shell', async () => {
    await sandbox.exec('kill -9 $PPID; echo hi', persistent);
    expect(await sandbox.exec('exit 3', persistent)).toMatchObject({
      outcome: expect.stringMatching(/exited|sandbox-lost/),
    });
    expect(await next()).toBe('next\n');
  });

  it('when a one-shot command kills its lane: lost, and nothing of it runs beside the next', async () => {
    const result = await sandbox.exec('kill -9 $PPID; exec sleep 31337');
    expect(result.outcome).toBe('sandbox-lost');
    expect((await sandbox.exec('ps -A -o args= | grep -c "^sleep 3133[7]"')).stdout).toBe('0\n');
  });

  it('when a listener throws or is slow', async () => {
    const seen: string[] = [];
    const slow = await sandbox.exec('head -c 300000 /dev/zero; echo; echo end', {
      onOutput: async ({ data }) => {
        seen.push(String(data.length));
        await new Promise(resolve => setImmediate(resolve));
      },
    });
    expect(slow.stdoutTotal).toBe(300_005);
    expect(seen.map(Number).reduce((sum, length) => sum + length, 0)).toBe(300_005);
    const thrown = await sandbox.exec('echo a; exit 4', {
      onOutput: () => {
        throw new Error('listener');
      },
    });
    expect(thrown).toMatchObject({ outcome: 'exited', exitCode: 4, stdout: 'a\n' });
    expect(thrown.notices.join()).toContain('listener');
  });

  it('when a process that was left behind is killed', async () => {
    await sandbox.exec('env -i sleep 4343 & echo hi');
    const [left] = await sandbox.processes();
    await left?.kill();
    expect(await left?.wait()).toEqual({ state: 'ended' });
    expect((await sandbox.exec('ps -A -o args= | grep -c "^sleep 434[3]"')).stdout).toBe('0\n');
  });

  it('when the folder of the shell is deleted: the next command does not run elsewhere', async () => {
    await sandbox.exec('mkdir gone && cd gone && rmdir ../gone', persistent);
    const result = await sandbox.exec('pwd; echo ran', { ...persistent, stdin: 'x' });
    expect(result.stdout).not.toContain('ran');
    expect(result.exitCode).not.toBe(0);
  });

  it('and $? is carried from command to command', async () => {
    await sandbox.exec('(exit 9)', persistent);
    expect((await sandbox.exec('echo $?', persistent)).stdout).toBe('9\n');
  });
});

describe('impatient callers', () => {
  it('are not kept waiting by the command before theirs', async () => {
    const begun = Promise.withResolvers<void>();
    const command = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo over';
    const first = sandbox.exec(command, { ...persistent, onOutput: () => begun.resolve() });
    await within(begun.promise, 'the command to begin');
    const abort = new AbortController();
    const second = sandbox.exec('echo never', { ...persistent, signal: abort.signal });
    abort.abort();
    // The first one ends only after this.
    expect((await second).outcome).toBe('canceled');
    await writeFile(join(folder, 'go'), '');
    expect((await first).stdout).toBe('begun\nover\n');
    expect(await next()).toBe('next\n');
  });

  it('get an answer to everything when the sandbox is destroyed under them', async () => {
    const begun = Promise.withResolvers<void>();
    const onOutput = () => begun.resolve();
    const running = Array.from({ length: 100 }, () => sandbox.exec('echo begun; sleep 60', { onOutput }));
    const settled = Promise.allSettled(running);
    await within(begun.promise, 'the command to begin');
    await sandbox.destroy();
    for (const result of await settled) {
      if (result.status === 'fulfilled') expect(result.value.outcome).toBe('sandbox-lost');
      else expect(result.reason).toMatchObject({ code: 'SANDBOX_GONE' });
    }
  });

  it('can destroy at the very moment of a time-out, again and again', async () => {
    const { below } = useDraws();
    const ground = await column.open();
    const trial = new Trial({ ground, mode: 'one-shot', patienceMs: PATIENCE_MS });
    onTestFinished(async () => {
      await trial.close();
      await ground.close();
    });
    for (let turn = 0; turn < 12; turn++) {
      const { handle, run, passTime } = await trial.open();
      const begun = Promise.withResolvers<void>();
      const onOutput = () => begun.resolve();
      const running = run('echo begun; sleep 60', { timeoutMs: LONG_MS, onOutput });
      await within(begun.promise, 'the command to begin');
      passTime();
      for (let at = below(2 ** below(8)); at > 0; at--) await nextTurn();
      await handle.destroy();
      expect((await running).outcome).toMatch(/timed-out|sandbox-lost/);
    }
  });

  it('are not starved by what earlier commands left behind', async () => {
    await Promise.all(Array.from({ length: 70 }, () => sandbox.exec('sleep 61 & :')));
    expect((await sandbox.exec('echo hi', { timeoutMs: PATIENCE_MS })).stdout).toBe('hi\n');
  });
});

describe('P2: what cannot be given is refused', () => {
  it.each([
    [{ network: 'none' as const }, 'USAGE_BAD_ARGUMENTS'],
    [{ image: 'debian' }, 'USAGE_BAD_ARGUMENTS'],
    [{ env: { 'X;touch pwned;Y': '1' } }, 'USAGE_BAD_ARGUMENTS'],
    [{ cwd: '/does/not/exist' }, 'SANDBOX_CWD_MISSING'],
  ])('%j', async (options, code) => {
    await expect(openSandbox({ backend: 'local', ...options })).rejects.toMatchObject({ code });
  });

  it('a cancelled call opens nothing', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(openSandbox({ backend: 'local', signal })).rejects.toThrow('stop');
  });
});
