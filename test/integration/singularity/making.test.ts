// How sandboxes are made on a real Apptainer: who they are, what limits them, what they are given, and what is left when
// one could not be made.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Label, readLabel } from '../../../src/backends/singularity/folder.ts';
import { findInstance } from '../../../src/backends/singularity/host-process.ts';
import { type Experience, startInstance } from '../../../src/backends/singularity/instance.ts';
import { findProgram } from '../../../src/backends/singularity/program.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { listed, newSpec, runIn, type SingularityGround, sandboxFolders, USER, useGround } from './ground.ts';

describeWith('apptainer', () => {
  const ground = useGround();
  limited(ground);
  asTheirUser(ground);
  givenUp(ground);
  given(ground);
});

/** The folder belongs to an ordinary user of this machine, who can put anything there. */
function asTheirUser(ground: () => SingularityGround): void {
  it('ends no process of somebody else, whatever that user has written down', async () => {
    const sandbox = await (await ground().make()).create(newSpec());
    const bystander = spawn('sleep', ['600']);
    const started = readFileSync(`/proc/${bystander.pid}/stat`, 'utf8').split(' ')[21];
    const forged = { pid: bystander.pid, started };
    const path = join(ground().top, sandbox.ref.name, 'running.json');
    const running = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...running, monitor: forged, first: forged }));
    await (await ground().make()).destroy?.(sandbox.ref);
    expect(bystander.signalCode).toBeNull();
    expect(() => process.kill(bystander.pid ?? 0, 0)).not.toThrow();
    expect(findInstance(sandbox.ref.name)).toBeUndefined();
    const ended = once(bystander, 'exit');
    bystander.kill('SIGKILL');
    await ended;
  });

  it('removes only what that user could remove', async () => {
    const sandbox = await (await ground().make()).create(newSpec());
    const roots = join(ground().top, sandbox.ref.name, 'home/roots');
    await mkdir(roots, { mode: 0o755 });
    await writeFile(join(roots, 'treasure'), 'root’s');
    await expect(sandbox.destroy()).rejects.toThrow();
    expect(await readFile(join(roots, 'treasure'), 'utf8')).toBe('root’s');
    await rm(roots, { recursive: true });
    await (await ground().make()).destroy?.(sandbox.ref);
    expect(existsSync(join(ground().top, sandbox.ref.name))).toBe(false);
  });
}

function limited(ground: () => SingularityGround): void {
  it('is an ordinary user on this machine, under a filter, in folders that are theirs alone', async () => {
    const sandbox = await (await ground().make()).create(newSpec());
    const found = findInstance(sandbox.ref.name);
    expect(found).toMatchObject({ uid: USER, isFiltered: true, hasOwnUsers: true });
    const about = statSync(join(ground().top, sandbox.ref.name));
    expect({ uid: about.uid, mode: about.mode & 0o777 }).toEqual({ uid: USER, mode: 0o700 });
    await sandbox.destroy();
  });

  it('says which limits the host refuses, and holds that of processes all the same', async () => {
    const sandbox = await (await ground().make()).create(
      newSpec({ limits: { cpus: 1, memoryMiB: 100, processes: 64 } }),
    );
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
    const sandbox = await (await ground().make()).create(newSpec());
    await sandbox.suspend?.();
    const folder = join(ground().top, sandbox.ref.name);
    const label = (await readLabel(folder, { uid: USER, gid: USER })) as Label; // it was just made
    const experience: Experience = { attempts: [['cpus', 'memoryMiB'], []] };
    const context = { environment: ground().environment, clock: systemClock };
    const program = findProgram(ground().environment);
    const running = await startInstance({ folder, label, experience, context, program, hasFilter: true });
    expect(running.held).toEqual([]);
    expect(experience.attempts).toEqual([[]]);
    expect(await runIn(await (await ground().make()).attach(sandbox.ref), 'echo here')).toBe('here');
    await sandbox.destroy();
  });
}

function givenUp(ground: () => SingularityGround): void {
  it('leaves nothing when its making is cancelled', async () => {
    const abort = new AbortController();
    const creating = (await ground().make()).create(newSpec({ id: 'cancelled' }), { signal: abort.signal });
    await until(() => existsSync(join(ground().top, 'hermes-cancelled')), 'its folder is there');
    abort.abort(new Error('not wanted any more'));
    await expect(creating).rejects.toThrow('not wanted any more');
    expect(findInstance('hermes-cancelled')).toBeUndefined();
    expect(sandboxFolders(ground())).toEqual([]);
  });

  it('finds and removes what was only half made, and leaves what is not ours', async () => {
    const ref = { backend: 'singularity', id: 'half', name: 'hermes-half', installation: 'test' };
    const folder = join(ground().top, ref.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'label.json'), JSON.stringify({ ref }));
    for (const path of [folder, join(folder, 'label.json')]) await chown(path, USER, USER);
    await mkdir(join(ground().top, 'hermes-strange'));
    expect(await listed(await ground().make(), 'test')).toEqual([ref]);
    await (await ground().make()).destroy?.({ ...ref, installation: 'other' });
    expect(existsSync(folder)).toBe(true);
    await expect((await ground().make()).attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(sandboxFolders(ground())).toEqual(['hermes-strange']);
    await rm(join(ground().top, 'hermes-strange'), { recursive: true });
  });
}

function given(ground: () => SingularityGround): void {
  it('mounts folders as they are wanted, and refuses those that hand over the machine', async () => {
    const source = join(ground().scratch, 'data');
    await mkdir(source);
    await writeFile(join(source, 'file'), 'mounted');
    const mounts = [{ source, target: '/data', readOnly: true }];
    const sandbox = await (await ground().make()).create(newSpec({ mounts }));
    expect(await runIn(sandbox, 'cat /data/file; touch /data/new 2>/dev/null || echo refused')).toBe(
      'mountedrefused',
    );
    await sandbox.destroy();
    for (const [wrong, target] of [
      ['/etc', '/data'],
      [ground().top, '/data'],
      [source, '/usr'],
      [`${source}/none`, '/data'],
    ] as const) {
      const spec = newSpec({ mounts: [{ source: wrong, target, readOnly: true }] });
      await expect((await ground().make()).create(spec)).rejects.toMatchObject({
        code: 'SANDBOX_NOT_CREATED',
      });
    }
  });

  it('starts commands in the folder that is asked for, or says that it cannot', async () => {
    const sandbox = await (await ground().make()).create(newSpec({ cwd: '/workspace/a b/c' }));
    expect(await runIn(sandbox, 'pwd')).toBe('/workspace/a b/c');
    await sandbox.destroy();
    await expect((await ground().make()).create(newSpec({ cwd: '/proc/none' }))).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
    });
    expect(sandboxFolders(ground())).toEqual([]);
  });
}
