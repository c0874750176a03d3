// A whole test run cleans up after itself: when it ends, when it is interrupted, and by the next run when it is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { waitUntil } from './command.ts';
import { processesOf } from './leftovers.ts';
import { describeWith } from './use-service.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const leaks = new URL('./fixtures/leaks.ts', import.meta.url);
const waits = new URL('./fixtures/waits.ts', import.meta.url);
const notAvailable = new URL('./fixtures/not-available.ts', import.meta.url);
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts Vitest on one of the fixtures, with the real global setup. Its run's folder is where only ours are. */
async function startRun(fixture: URL, env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'vitest-'));
  const test = {
    include: [relative(root, fileURLToPath(fixture))],
    globalSetup: [join(here, 'global-setup.ts')],
    pool: 'forks',
    hookTimeout: 600_000,
  };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ root, test })}`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', join(folder, 'vitest.config.mjs')], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', TMPDIR: inject('servicesTmpDir'), ...env },
  });
  started.push(child);
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => printed.push(String(data)));
  const ended = once(child, 'close').then(async ([code]) => {
    await rm(folder, { recursive: true });
    return Number(code);
  });
  return { child, ended, output: () => printed.join('') };
}

async function runFolders(): Promise<string[]> {
  return (await readdir(inject('servicesTmpDir'))).filter(name => name.startsWith('hermes-'));
}

async function commandsOf(runId = 'none'): Promise<string> {
  const left = await processesOf({ runId, runDir: join(inject('servicesTmpDir'), runId) });
  return left.map(it => it.text).join('\n');
}

describe('a test run', () => {
  it('fails and names what its tests left, which is gone', async () => {
    const { ended, output } = await startRun(leaks);
    expect(await ended, output()).toBe(1);
    expect(output()).toMatch(/1 passed/);
    expect(output()).toMatch(/process \d+: sleep 1234 .*started by test\/services\/fixtures\/leaks\.ts/);
    expect(output()).toMatch(/file or folder .*fixtures\+leaks\.ts\/left-/);
    const runId = /hermes-[0-9a-f]{8}(?=\/tmp\/test\+services\+fixtures)/.exec(output())?.[0];
    expect(await commandsOf(runId)).toBe('');
    expect(await runFolders()).toEqual([]);
  });
});

describeWith('image-nobash', address => {
  it('says which component could not run and why, without a failure', async () => {
    const env = { DOCKER_HOST: address().docker.host, CI: 'true' };
    const { ended, output } = await startRun(notAvailable, env);
    expect(await ended, output()).toBe(0);
    expect(output()).toMatch(/not run: runsc: a runtime is added to our own Docker engine only/);
    expect(output()).toMatch(/1 skipped/);
  });

  // Asked for here, so that the runs below find it installed.
  describeWith('ssh', () => {
    it.each(['SIGTERM', 'SIGINT'] as const)('stops everything when it gets %s', async signal => {
      const run = await startRun(waits);
      await waitUntil(async () => run.output().includes('waiting'), { what: 'the run', timeoutMs: 50_000 });
      const [runId] = await runFolders();
      const isThere = async () => (await commandsOf(runId)).includes(': sleep 4321');
      await waitUntil(isThere, { what: 'the program in the container', timeoutMs: 50_000 });
      expect(await commandsOf(runId)).toMatch(/sshd: .*listener/);
      // Ctrl-C in a terminal comes twice: npm passes on what the terminal sends to all.
      run.child.kill(signal);
      run.child.kill(signal);
      expect(await run.ended).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect(await commandsOf(runId)).toBe('');
      expect(await runFolders()).toEqual([]);
    });

    it('is cleared away by the next runs when it was killed', async () => {
      const killed = await startRun(waits);
      await waitUntil(async () => killed.output().includes('waiting'), {
        what: 'the run',
        timeoutMs: 50_000,
      });
      const [runId] = await runFolders();
      killed.child.kill('SIGKILL');
      await killed.ended;
      expect(await commandsOf(runId)).toMatch(/sshd: .*listener/);
      const next = await Promise.all([startRun(leaks), startRun(leaks)]);
      for (const { ended, output } of next) {
        await ended;
        expect(output()).toMatch(/1 passed/);
      }
      const said = next.map(({ output }) => output()).join('');
      expect(said.split(`removing ${runId}`)).toHaveLength(2);
      expect(await commandsOf(runId)).toBe('');
      expect(await runFolders()).toEqual([]);
    });
  });
});
