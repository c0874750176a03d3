// The life of sandboxes on a real Apptainer: what outlives the gateway, a suspension, and what nothing may outlive.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Label, readLabel } from '../../../src/backends/singularity/folder.ts';
import { findInstance } from '../../../src/backends/singularity/host-process.ts';
import { type Experience, startInstance } from '../../../src/backends/singularity/instance.ts';
import { findProgram } from '../../../src/backends/singularity/program.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { type Backend, SandboxHandle, type SandboxRef } from '../../../src/index.ts';
import { hostProcesses } from '../../conformance/host-processes.ts';
import { newMarker } from '../../conformance/trial.ts';
import { describeWith } from '../../services/use-service.ts';
import { newSpec, openSingularityGround, runIn, type SingularityGround, USER } from './ground.ts';
import type { KilledGateway } from './killed-gateway.ts';

describeWith('apptainer', () => {
  let ground: SingularityGround;
  let backend: Backend;
  beforeAll(async () => {
    ground = await openSingularityGround();
    backend = await ground.make();
  });
  afterAll(() => ground.close());

  const sandboxFolders = (): string[] => readdirSync(ground.top).filter(name => name.startsWith('hermes-'));

  describe('a gateway that is killed', () => {
    it('leaves its instance and background processes, which another one finds and ends', async () => {
      const [id, marker] = [newId(), newMarker()];
      const { settings, environment, home } = ground;
      await killGateway({ settings, environment, home, id, marker });
      expect(await hostProcesses(`sleep ${marker}`)).not.toEqual([]);
      const [ref] = await listed(backend, 'test');
      expect(ref?.id).toBe(id);
      const again = await (await ground.make()).attach(ref as SandboxRef); // expected above
      const handle = await SandboxHandle.open({ sandbox: again, clock: systemClock });
      const [job] = await handle.processes();
      expect(await job?.poll()).toEqual({ state: 'running' });
      await handle.destroy();
      expect(await hostProcesses(`sleep ${marker}`)).toEqual([]);
      expect(await listed(backend, 'test')).toEqual([]);
    });
  });

  describe('suspend and resume', () => {
    it('keep the workspace, the home and changes to the image, and no process', async () => {
      const marker = newMarker();
      const sandbox = await backend.create(newSpec({ persistent: true }));
      await runIn(sandbox, `echo a >a; echo b >~/b; echo c >/etc/c; (setsid sleep ${marker} &)`);
      await sandbox.suspend?.();
      expect(await hostProcesses(`sleep ${marker}`)).toEqual([]);
      expect(findInstance(sandbox.ref.name)).toBeUndefined();
      await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
      await sandbox.resume?.();
      expect(await runIn(sandbox, 'cat a ~/b /etc/c')).toBe('a\nb\nc');
      await sandbox.destroy();
    });

    it('keep no changes to the image where they were not to be kept', async () => {
      const sandbox = await backend.create(newSpec({ persistent: false }));
      await runIn(sandbox, 'echo a >a; echo c >/etc/c');
      await sandbox.suspend?.();
      const again = await (await ground.make()).attach(sandbox.ref);
      expect(await runIn(again, 'cat a; ls /etc/c 2>/dev/null || echo none')).toBe('a\nnone');
      await again.destroy();
      await expect(sandbox.resume?.()).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    });
  });

  it('is an ordinary user on this machine, under a filter, in folders that are theirs alone', async () => {
    const sandbox = await backend.create(newSpec());
    const found = findInstance(sandbox.ref.name);
    expect(found).toMatchObject({ uid: USER, isFiltered: true, hasOwnUsers: true });
    const about = statSync(join(ground.top, sandbox.ref.name));
    expect({ uid: about.uid, mode: about.mode & 0o777 }).toEqual({ uid: USER, mode: 0o700 });
    await sandbox.destroy();
  });

  it('says which limits the host refuses, and holds that of processes all the same', async () => {
    const sandbox = await backend.create(newSpec({ limits: { cpus: 1, memoryMiB: 100, processes: 64 } }));
    expect(sandbox.enforcement).toEqual({
      ...{ cpus: 'none', memory: 'none', disk: 'none', processes: 'enforced' },
    });
    const fork = `python3 -c 'import os, time
made = 0
try:
    while made < 100:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        made += 1
except OSError: pass
print(made)'`;
    const made = Number(await runIn(sandbox, `${fork}; pkill python3`));
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThan(64);
    await sandbox.destroy();
  });

  it('starts without the limits that the host refuses, and does not try them again', async () => {
    const sandbox = await backend.create(newSpec());
    await sandbox.suspend?.();
    const folder = join(ground.top, sandbox.ref.name);
    const label = (await readLabel(folder)) as Label; // it was just made
    const experience: Experience = { attempts: [['cpus', 'memoryMiB'], []] };
    const context = { environment: ground.environment, clock: systemClock };
    const program = findProgram(ground.environment);
    const running = await startInstance({ folder, label, experience, context, program, hasFilter: true });
    expect(running.held).toEqual([]);
    expect(experience.attempts).toEqual([[]]);
    expect(await runIn(await backend.attach(sandbox.ref), 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it('leaves nothing when its making is cancelled', async () => {
    const abort = new AbortController();
    const creating = backend.create(newSpec({ id: 'cancelled' }), { signal: abort.signal });
    while (!existsSync(join(ground.top, 'hermes-cancelled')))
      await new Promise(resolve => setImmediate(resolve));
    abort.abort(new Error('not wanted any more'));
    await expect(creating).rejects.toThrow('not wanted any more');
    expect(findInstance('hermes-cancelled')).toBeUndefined();
    expect(sandboxFolders()).toEqual([]);
  });

  it('finds and removes what was only half made, and leaves what is not ours', async () => {
    const ref = { backend: 'singularity', id: 'half', name: 'hermes-half', installation: 'test' };
    const folder = join(ground.top, ref.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'label.json'), JSON.stringify({ ref }));
    await mkdir(join(ground.top, 'hermes-strange'));
    expect(await listed(backend, 'test')).toEqual([ref]);
    await backend.destroy?.({ ...ref, installation: 'other' });
    expect(existsSync(folder)).toBe(true);
    await expect(backend.attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(sandboxFolders()).toEqual(['hermes-strange']);
    await rm(join(ground.top, 'hermes-strange'), { recursive: true });
  });

  it('mounts folders as they are wanted, and refuses those that hand over the machine', async () => {
    const source = join(ground.scratch, 'data');
    await mkdir(source);
    await writeFile(join(source, 'file'), 'mounted');
    const mounts = [{ source, target: '/data', readOnly: true }];
    const sandbox = await backend.create(newSpec({ mounts }));
    expect(await runIn(sandbox, 'cat /data/file; touch /data/new 2>/dev/null || echo refused')).toBe(
      'mountedrefused',
    );
    await sandbox.destroy();
    for (const [wrong, target] of [
      ['/etc', '/data'],
      [ground.top, '/data'],
      [source, '/usr'],
      [`${source}/none`, '/data'],
    ] as const) {
      const spec = newSpec({ mounts: [{ source: wrong, target, readOnly: true }] });
      await expect(backend.create(spec)).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    }
  });

  it('starts commands in the folder that is asked for, or says that it cannot', async () => {
    const sandbox = await backend.create(newSpec({ cwd: '/workspace/a b/c' }));
    expect(await runIn(sandbox, 'pwd')).toBe('/workspace/a b/c');
    await sandbox.destroy();
    await expect(backend.create(newSpec({ cwd: '/proc/none' }))).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
    });
    expect(sandboxFolders()).toEqual([]);
  });
});

async function listed(backend: Backend, installation: string): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation)) refs.push(ref);
  return refs;
}

function killGateway(gateway: KilledGateway): Promise<void> {
  const program = fileURLToPath(new URL('./killed-gateway.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, JSON.stringify(gateway)], { timeout: 30_000 }, (error, _, stderr) =>
      error?.signal === 'SIGKILL' ? resolve() : reject(new Error(`it was not killed: ${stderr}`)),
    );
  });
}
