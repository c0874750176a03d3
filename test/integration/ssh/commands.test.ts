// Commands, files and shells on a machine behind ssh, with everything that an account's startup files may print.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/index.ts';
import { useDraws } from '../../seed.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';
import { hasSandboxes, openHandle, processesWith, socketDirs, specOf } from './ssh-trial.ts';

describeWith('ssh', () => {
  let server: SshServer;
  let backend: Backend;
  beforeAll(async () => {
    server = await startSshServer();
    backend = await server.backend();
  });
  afterAll(async () => {
    await backend.close();
    expect(hasSandboxes(server)).toBe(false);
    expect(await socketDirs()).toEqual([]);
    await server.stop();
  });

  it('is ready', async () => {
    expect(await backend.check()).toEqual([]);
  });

  it('runs commands and tells their exit code, 255 included', async () => {
    await using handle = await openHandle(backend, { env: { SECRET: "a'b\nc" } });
    expect(handle.workdir).toBe(server.home);
    expect(await handle.exec('printf %s "$SECRET"; echo no >&2; exit 255')).toMatchObject({
      outcome: 'exited',
      exitCode: 255,
      stdout: "a'b\nc",
      stderr: 'no\n',
    });
  });

  it('keeps folder and variables in the persistent shell, and files as bytes', async () => {
    await using handle = await openHandle(backend);
    await handle.exec('mkdir -p sub; cd sub; x=1', { persistent: true });
    expect((await handle.exec('echo $x $PWD', { persistent: true })).stdout).toBe(`1 ${server.home}/sub\n`);
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256);
    await handle.writeFile('sub/bytes', bytes);
    expect(Buffer.compare(await handle.readFile('sub/bytes'), bytes)).toBe(0);
    await handle.exec('rm -r sub');
  });

  it('ends the whole tree over there when the time is up, and when cancelled', async () => {
    await using handle = await openHandle(backend);
    const tree = 'sleep 614253001 & (setsid sleep 614253002 &) ; sleep 614253003';
    expect(await handle.exec(tree, { timeoutMs: 300 })).toMatchObject({ outcome: 'timed-out' });
    const cancel = new AbortController();
    const canceled = handle.exec(tree, { signal: cancel.signal });
    await until(async () => (await processesWith('614253003')).length > 0, 'the command runs');
    cancel.abort();
    expect(await canceled).toMatchObject({ outcome: 'canceled' });
    expect(await processesWith('61425300')).toEqual([]);
  });

  it('leaves nothing of a sandbox whose making was cancelled', async () => {
    const { moment } = useDraws();
    for (const mostMs of [0, 5, 20]) {
      const abort = new AbortController();
      const created = backend.create(specOf(), { signal: abort.signal });
      const [result] = await Promise.allSettled([created, moment(mostMs).then(() => abort.abort())]);
      if (result.status === 'fulfilled') await result.value.destroy();
    }
    expect(hasSandboxes(server)).toBe(false);
  });

  it.each([
    ['an image', { image: 'debian' }],
    ['mounts', { mounts: [{ source: '/a', target: '/b', readOnly: true }] }],
    ['a closed network', { network: 'none' }],
    ['a folder that does not exist', { cwd: '/nonexistent' }],
  ] as const)('refuses %s and says why', async (_what, changes) => {
    const created = backend.create(specOf(changes));
    await expect(created).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    expect(hasSandboxes(server)).toBe(false);
  });
});

describeWith('ssh', () => {
  const NOISE = 'echo noisy; echo -n half; echo worse >&2; HERMES_NOISE=1\n';

  describe('with startup files that print', () => {
    it('shows nothing of it', async () => {
      const server = await startSshServer();
      await writeFile(join(server.home, '.bashrc'), NOISE);
      const backend = await server.backend();
      const handle = await openHandle(backend);
      const result = await handle.exec('echo hi; echo ${HERMES_NOISE-unset}');
      expect([result.stdout, result.stderr]).toEqual(['hi\nunset\n', '']);
      expect((await handle.exec('echo hi', { persistent: true })).stdout).toBe('hi\n');
      await handle.destroy();
      await backend.close();
      await server.stop();
    });

    it('says so when they exit', async () => {
      const server = await startSshServer();
      await writeFile(join(server.home, '.bashrc'), 'echo "closed for the holidays"; exit 4\n');
      const backend = await server.backend();
      const [problem] = await backend.check();
      expect(problem?.message).toContain('closed for the holidays');
      expect(problem?.fix).toContain('startup files');
      await backend.close();
      await server.stop();
    });
  });

  it('works for an account whose login shell is sh', async () => {
    const server = await startSshServer({ config: ['ForceCommand exec dash -c "$SSH_ORIGINAL_COMMAND"'] });
    const backend = await server.backend();
    const handle = await openHandle(backend);
    expect((await handle.exec('echo $BASH_VERSION')).stdout).toMatch(/^\d/);
    await handle.destroy();
    await backend.close();
    await server.stop();
  });
});
