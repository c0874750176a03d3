// Proofs about the life of a sandbox: its ref, its end, and what is found after a restart.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { shellQuote } from '../../../src/base/shell-quote.ts';
import { type Backend, isHermesError, type SandboxRef } from '../../../src/index.ts';
import { type Box, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

async function listed(backend: Backend, installation: string): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation)) refs.push(ref);
  return refs;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** What is left may still answer truly; it may say that it is lost or gone; it may not say nothing. */
async function expectTruth({ run }: Box): Promise<void> {
  try {
    const { outcome, exitCode, stdout } = await run('echo here');
    if (outcome === 'exited') expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'here\n' });
    else expect(outcome).toBe('sandbox-lost');
  } catch (error) {
    if (!isHermesError(error)) throw error;
    expect(error.code).toBe('SANDBOX_GONE');
  }
}

export const lifeProofs = proofs(verifies => {
  verifies('life.capabilities', async trial => {
    const { capabilities } = trial.ground.backend;
    const sandbox = await trial.create();
    expect(sandbox.snapshot !== undefined).toBe(capabilities.snapshot);
    expect(sandbox.suspend !== undefined).toBe(capabilities.suspend);
    expect(sandbox.resume !== undefined).toBe(capabilities.suspend);
    expect(capabilities.networks.length).toBeGreaterThan(0);
  });

  verifies('life.check', async trial => {
    expect(await trial.ground.backend.check()).toEqual([]);
  });

  verifies('life.ref', async trial => {
    const id = `c${randomBytes(8).toString('hex')}`;
    const { ref } = await trial.create({ id, session: 'telegram:1' });
    expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
    const { installation, ground } = trial;
    expect(ref).toMatchObject({ id, installation, backend: ground.backend.name, session: 'telegram:1' });
    expect(ref.name).not.toBe('');
  });

  verifies('life.no-bash', async trial => {
    const { withoutBash } = trial.ground;
    await expect(trial.open({}, withoutBash)).rejects.toMatchObject({ code: 'SANDBOX_NO_BASH' });
  });

  verifies('life.private', async trial => {
    const { handle, sandbox } = await trial.open();
    await handle.exec('true', { persistent: true });
    const open = `find ${shellQuote(sandbox.channelDir)} ! -type l \\( -perm -040 -o -perm -004 -o -perm -020 -o -perm -002 \\)`;
    expect(await handle.exec(`[ -d ${shellQuote(sandbox.channelDir)} ] && ${open}`)).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
  });

  verifies('life.list', async trial => {
    const { backend } = trial.ground;
    const [one, other] = [await trial.create(), await trial.create()];
    const strange = await trial.create({ installation: `${trial.installation}-other` });
    const ids = async (installation: string): Promise<string[]> =>
      (await listed(backend, installation)).map(({ id }) => id).toSorted();
    expect(await ids(trial.installation)).toEqual([one.ref.id, other.ref.id].toSorted());
    expect(await listed(backend, `${trial.installation}-other`)).toEqual([strange.ref]);
    await one.destroy();
    expect(await ids(trial.installation)).toEqual([other.ref.id]);
    expect(await ids('no-such-installation')).toEqual([]);
  });
});

export const destroyProofs = proofs(verifies => {
  verifies('life.destroy', async trial => {
    const { run, handle } = await trial.open();
    const marker = newMarker();
    await run(
      `( setsid sleep ${spelled(marker)} & ); sleep ${spelled(marker)} & sleep ${spelled(marker)} >/dev/null 2>&1 & disown`,
    );
    await handle.start(`sleep ${spelled(marker)}; true`);
    await trial.running(marker, 4);
    await handle.destroy();
    expect(await trial.ground.processes(marker)).toEqual([]);
  });

  verifies('life.destroy-running', async trial => {
    const { run, handle } = await trial.open();
    const marker = newMarker();
    const early = Promise.withResolvers<void>();
    const running = run(
      `echo early; ( setsid sleep ${spelled(marker)} & ); sleep ${spelled(marker)}; echo AFTER`,
      {
        onOutput: () => early.resolve(),
      },
    );
    await trial.within(early.promise, 'its first output comes');
    await trial.running(marker, 2);
    await handle.destroy();
    expect(await trial.ground.processes(marker)).toEqual([]);
    const result = await trial.within(running, 'the command hears of it');
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'early\n' });
    expect(result).not.toHaveProperty('exitCode');
    expect(result.notices.length).toBeGreaterThan(0);
  });

  verifies('life.destroy-hidden', async trial => {
    const { handle } = await trial.open();
    const marker = newMarker();
    await handle.exec(`( env -i "$(command -v setsid)" "$(command -v sleep)" ${marker} & )`);
    await trial.running(marker);
    await handle.destroy();
    expect(await trial.ground.processes(marker)).toEqual([]);
  });

  verifies('life.destroy-twice', async trial => {
    const { handle, sandbox } = await trial.open();
    await Promise.all([handle.destroy(), handle.destroy()]);
    await handle.destroy();
    await sandbox.destroy();
    const other = await trial.create();
    await Promise.all([other.destroy(), other.destroy()]);
    await other.destroy();
  });

  verifies('life.destroyed', async trial => {
    const { run, handle } = await trial.open();
    await run('true');
    await handle.destroy();
    await expect(trial.within(run('echo ran'), 'it is refused')).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
    });
    await expect(trial.within(handle.readFile('x'), 'it is refused')).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
    });
  });

  verifies('life.dispose', async trial => {
    const marker = newMarker();
    {
      await using handle = (await trial.open()).handle;
      await handle.start(`sleep ${spelled(marker)}; true`);
      await trial.running(marker);
    }
    expect(await trial.ground.processes(marker)).toEqual([]);
    expect(await listed(trial.ground.backend, trial.installation)).toEqual([]);
  });
});

export const attachProofs = proofs(verifies => {
  verifies('life.attach', async trial => {
    const { handle } = await trial.open();
    await handle.writeFile('note', 'written before');
    await handle.detach();
    const { handle: again } = await trial.enter(await trial.ground.backend.attach(handle.ref));
    expect(again.ref).toEqual(handle.ref);
    expect(again.workdir).toBe(handle.workdir);
    expect(text(await again.readFile('note'))).toBe('written before');
  });

  verifies('life.attach-commands', async trial => {
    const first = await trial.open();
    await first.run('cd /; x=1; echo before');
    await first.handle.detach();
    const again = await trial.enter(await trial.ground.backend.attach(first.handle.ref));
    expect(await again.run('echo after; exit 3')).toMatchObject({
      outcome: 'exited',
      exitCode: 3,
      stdout: 'after\n',
    });
  });

  verifies('life.attach-processes', async trial => {
    const { handle } = await trial.open();
    const marker = newMarker();
    const job = await handle.start(`echo logged; sleep ${spelled(marker)}; true`);
    await trial.running(marker);
    await handle.detach();
    expect(await trial.ground.processes(marker)).not.toEqual([]);
    const again = await trial.enter(await trial.ground.backend.attach(handle.ref));
    const found = await again.handle.process(job.id);
    expect(await found.poll()).toEqual({ state: 'running' });
    expect(text(await found.log())).toBe('logged\n');
    expect((await again.handle.processes()).map(({ id }) => id)).toEqual([job.id]);
    await found.kill();
    await trial.gone(marker);
  });

  verifies('life.attach-gone', async trial => {
    const sandbox = await trial.create();
    await sandbox.destroy();
    await expect(trial.ground.backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    const never = { ...sandbox.ref, id: 'never', name: `${sandbox.ref.name}never` };
    await expect(trial.ground.backend.attach(never)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  verifies('life.outside', async trial => {
    const box = await trial.open();
    await box.run('true');
    await trial.ground.removeFromOutside(box.handle.ref);
    for (let call = 0; call < 3; call++) await expectTruth(box);
    await expect(trial.ground.backend.attach(box.handle.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(await listed(trial.ground.backend, trial.installation)).toEqual([]);
  });
});
