// Whatever a test can leave behind is found, named and removed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { until, within } from '../wait.ts';
import { exists, runCommand } from './command.ts';
import { docker, dockerCommand } from './docker.ts';
import { ServiceHost } from './host.ts';
import { nobashImage } from './image.ts';
import { processesOf, type RunTraces, removeLeftovers, runVariable } from './leftovers.ts';
import { describeWith } from './use-service.ts';

let run: RunTraces;

beforeEach(async () => {
  const runDir = await mkdtemp(join(tmpdir(), 'scratch-'));
  run = { runId: `scratch-${process.pid}`, runDir, tmpDir: join(runDir, 'tmp') };
  await mkdir(run.tmpDir);
});

afterEach(() => rm(run.runDir, { recursive: true, force: true }));

describe('the search for leftovers', () => {
  it('finds nothing after a clean run', async () => {
    expect(await removeLeftovers(run)).toEqual([]);
  });

  it('finds and ends a process and what it started', async () => {
    const env = { ...process.env, [runVariable]: run.runId };
    const child = spawn('sh', ['-c', 'sleep 1111 & echo started; wait'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await within(once(child.stdout, 'data'), 'it has begun');
    const isThere = async () => (await processesOf(run)).some(({ text }) => text.includes(': sleep 1111'));
    await until(isThere, 'what it started is its program and no longer a copy of the shell');
    const ended = once(child, 'exit');
    const left = (await removeLeftovers(run)).join('\n');
    expect(left).toMatch(new RegExp(`process ${child.pid}: sh -c`));
    expect(left).toMatch(/: sleep 1111 .*leftovers\.test\.ts/);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await processesOf(run)).toEqual([]);
  });

  it('finds and removes files and folders by the test file that made them', async () => {
    await mkdir(join(run.tmpDir, 'some.test.ts', 'left'), { recursive: true });
    await writeFile(join(run.tmpDir, 'stray'), '');
    expect((await removeLeftovers(run)).toSorted()).toEqual([
      `file ${run.tmpDir}/stray`,
      `file or folder ${run.tmpDir}/some.test.ts/left`,
    ]);
    expect(await readdir(run.tmpDir)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('finds and removes mounts', async () => {
    const point = join(run.runDir, 'mounted');
    await mkdir(point);
    await runCommand(['mount', '-t', 'tmpfs', 'tmpfs', point]);
    await writeFile(join(point, 'inside'), '');
    expect(await removeLeftovers(run)).toEqual([`mount at ${point}`]);
    expect(await exists(join(point, 'inside'))).toBe(false);
  });
});

describeWith('docker', address => {
  it('finds and removes control groups', async context => {
    const trees = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];
    const tree = (await exists(trees[0] ?? '')) ? trees[0] : trees[1];
    if (!address().own) context.skip('not run: only root has control groups');
    const group = join(tree ?? '', run.runId);
    await mkdir(join(group, 'below'), { recursive: true });
    expect(await removeLeftovers(run)).toEqual([`control group ${group}/below`, `control group ${group}`]);
    expect(await exists(group)).toBe(false);
  });

  it('is searched for containers, volumes and networks before it stops', async () => {
    // A second engine, so that the first one's leftovers are not touched.
    const said: string[] = [];
    const { runId, tmpDir } = run;
    const runDir = await mkdtemp(join(inject('servicesTmpDir'), 'e-'));
    const cacheDir = inject('servicesCacheDir');
    const host = new ServiceHost({ runId, runDir, cacheDir, say: text => said.push(text) });
    try {
      const engine = await host.addressOf(docker);
      const { image } = await host.addressOf(nobashImage);
      await dockerCommand(
        engine,
        'run',
        '-d',
        '--name',
        'forgotten',
        '--network',
        'none',
        image,
        'sleep',
        '2222',
      );
      await dockerCommand(engine, 'volume', 'create', '--label', 'hermes.test=1', 'kept');
      await dockerCommand(engine, 'network', 'create', '--internal', '--label', 'hermes.test=1', 'wire');
      const { leftovers, failures } = await host.stopAll();
      expect(failures).toEqual([]);
      expect(leftovers).toHaveLength(3);
      expect(leftovers.join('\n')).toMatch(
        /container \/forgotten hermes-test:nobash.*volume kept.*network wire/s,
      );
      expect(await removeLeftovers({ runId, runDir, tmpDir })).toEqual([]);
    } finally {
      await host.stopAll();
      await rm(runDir, { recursive: true });
    }
  });
});
