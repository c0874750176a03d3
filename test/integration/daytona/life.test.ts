// The daytona backend against a protocol double: sleep and waking, states in which others have put a sandbox, and its end.
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SandboxHandle } from '../../../src/index.ts';
import { heldClock } from '../../fixtures/held-clock.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { listed, newSpec, runIn, useGround } from './ground.ts';

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: keeps the files of a suspended sandbox, and bills no cores for it', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec());
    await runIn(sandbox, 'echo kept >note');
    await sandbox.suspend?.();
    expect(double.box(sandbox.ref.name).state).toBe('stopped');
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await sandbox.resume?.();
    expect(await runIn(sandbox, 'cat note')).toBe('kept');
    await sandbox.destroy();
  });

  it('protocol double: a suspension that fails leaves it as it was', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec());
    double.fault(/^POST .*\/stop/, { status: 403, message: 'Forbidden' });
    await expect(sandbox.suspend?.()).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    expect(await runIn(sandbox, 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it('protocol double: gives up on a process that a spoilt sandbox never starts', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec());
    const spoilt = 'mkdir ~/bin; printf "#!/bin/sh\\nsleep 600\\n" >~/bin/mkfifo; chmod +x ~/bin/mkfifo';
    await runIn(sandbox, `${spoilt}; echo 'PATH=$HOME/bin:$PATH' >~/.profile`);
    const terminals = () => double.box(sandbox.ref.name).ptys?.ids;
    await expect.poll(terminals).toEqual([]);
    const abort = new AbortController();
    const spawning = sandbox.spawn(['true'], { signal: abort.signal });
    const given = expect(spawning).rejects.toThrow('given up');
    await expect.poll(terminals).toHaveLength(3);
    abort.abort(new Error('given up'));
    await given;
    await expect.poll(terminals).toEqual([]);
    await sandbox.destroy();
  });

  it('protocol double: waits for a list no longer than somebody wants it', async () => {
    const { double, make } = ground();
    const backend = await make();
    const answer = Promise.withResolvers<void>();
    double.fault(/^GET \/api\/sandbox\?/, { heldBy: answer.promise });
    const abort = new AbortController();
    const [before, listing] = [double.calls.length, listed(backend, 'test', abort.signal)];
    const given = expect(listing).rejects.toThrow('given up');
    await expect.poll(() => double.calls.length).toBe(before + 1);
    abort.abort(new Error('given up'));
    // The answer is held until then.
    await given;
    answer.resolve();
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it.each(['stopped', 'archived'] as const)('protocol double: attaches to one that is %s', async state => {
    const { double, make } = ground();
    const backend = await make();
    const { ref } = await backend.create(newSpec({ session: 'telegram:1' }));
    const box = double.box(ref.name);
    box.stop();
    await box.settled();
    if (state === 'archived') box.archive();
    const sandbox = await backend.attach(ref, { env: { WHO: 'me' } });
    expect(sandbox.workdir).toBe('/workspace');
    expect(await runIn(sandbox, 'echo "$WHO $PWD"')).toBe('me /workspace');
    await sandbox.destroy();
  });

  it('protocol double: mends what can be mended, and calls gone what cannot', async () => {
    const { double, make } = ground();
    const backend = await make();
    const { ref } = await backend.create(newSpec());
    double.box(ref.name).fail('the runner was restarted', { recoverable: true });
    expect(await runIn(await backend.attach(ref), 'echo well')).toBe('well');
    double.box(ref.name).fail('the disk is broken');
    await expect(backend.attach(ref)).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('the disk is broken'),
    });
    await backend.destroy?.(ref);
    expect(double.boxes).toEqual([]);
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: tells a command that its sandbox was stopped, and wakes it for the next', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec());
    await using handle = await SandboxHandle.open({ sandbox, clock: systemClock });
    const result = await handle.exec('echo before; sleep 600', {
      onOutput: () => void double.box(sandbox.ref.name).stop(),
    });
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'before\n' });
    expect(JSON.stringify(result)).toContain('stopped from outside');
    expect(await handle.exec('pwd')).toMatchObject({ outcome: 'exited', stdout: '/workspace\n' });
  });

  it('protocol double: tells a command that its sandbox is gone', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec());
    const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
    const result = await handle.exec('echo before; sleep 600', {
      onOutput: () => double.box(sandbox.ref.name).delete(),
    });
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'before\n' });
    await expect(handle.exec('echo after')).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await handle.destroy();
  });

  it('protocol double: takes nothing of others in the organisation for its own', async () => {
    const { double, make } = ground();
    const backend = await make();
    expect(await listed(backend, 'elsewhere')).toEqual([]);
    const other = { backend: 'daytona', id: 'somebody', name: 'hermes-somebody', installation: 'elsewhere' };
    await expect(backend.attach(other)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await backend.destroy?.(other);
    expect(double.trespasses).toEqual([]);
  });

  it('protocol double: lists by label, over several pages, and destroys by reference in any state', async () => {
    const { double, make } = ground();
    const backend = await make();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => backend.create(newSpec({ installation: 'many' }))),
    );
    const stranger = await backend.create(newSpec());
    const refs = await listed(backend, 'many');
    expect(new Set(refs.map(({ id }) => id))).toEqual(new Set(made.map(({ ref }) => ref.id)));
    const [first, second, third] = refs.map(({ name }) => double.box(name));
    first?.stop();
    second?.fail('broken');
    third?.stop();
    await third?.settled();
    third?.archive();
    // As a gateway that has just been started, and knows nothing but its labels.
    const later = await make();
    for (const ref of refs) await later.destroy?.(ref);
    for (const ref of refs) await later.destroy?.(ref);
    expect(await listed(later, 'many')).toEqual([]);
    await later.destroy?.({ ...stranger.ref, installation: 'many' });
    expect(double.boxes).toHaveLength(1);
    await stranger.destroy();
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: has a dead-man switch, and puts it off while something runs', async () => {
    const { double, make } = ground();
    const clock = heldClock(ms => ms >= 60_000);
    const sandbox = await (await make({}, clock)).create(newSpec({ idleSeconds: 1200, persistent: false }));
    const box = double.box(sandbox.ref.name);
    expect(box.request).toMatchObject({ autoStopInterval: 30, autoDeleteInterval: 0 });
    const process = await sandbox.spawn(['sleep', '600']);
    expect(clock.held()).toEqual([10 * 60_000]);
    clock.fire();
    await expect.poll(() => box.touched).toBe(1);
    expect(clock.held()).toHaveLength(1);
    process.kill();
    await process.exit;
    clock.fire();
    expect(clock.held()).toEqual([]);
    await sandbox.destroy();
  });

  it('protocol double: notes the limit of the disk only where somebody asked for more', async () => {
    const { notes, make } = ground();
    const told = (): readonly string[] => notes.filter(note => note.includes('10 GiB'));
    await (await (await make()).create(newSpec())).destroy();
    expect(told()).toEqual([]);
    const backend = await make({ TERMINAL_CONTAINER_DISK: '51200' });
    await (await backend.create(newSpec())).destroy();
    expect(told()).toHaveLength(1);
    expect(await backend.check()).toMatchObject([{ severity: 'warning' }]);
  });
});

describeWith('bubblewrap', () => {
  const clock = manualClock();
  const ground = useGround({ clock });

  it('protocol double: wakes what its dead-man switch has stopped', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec({ idleSeconds: 1200 }));
    await runIn(sandbox, 'echo kept >note');
    const box = double.box(sandbox.ref.name);
    clock.advance(29 * 60_000);
    expect(box.state).toBe('started');
    // The end of the command may have reached Daytona only now: then it counts as a sign of life, and half an hour begins anew.
    let minutes = 29;
    await until(() => {
      if (minutes++ < 60) clock.advance(60_000);
      return box.state === 'stopped';
    }, 'it is stopped within half an hour of its last sign of life');
    expect(await runIn(sandbox, 'cat note')).toBe('kept');
    await sandbox.destroy();
  });

  it('protocol double: wakes one that was archived, and calls gone what was deleted by its age', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec());
    await runIn(sandbox, 'echo kept >note');
    await sandbox.suspend?.();
    const box = double.box(sandbox.ref.name);
    clock.advance(3 * 86_400_000);
    await expect.poll(() => box.state).toBe('archived');
    const again = await backend.attach(sandbox.ref);
    expect(await runIn(again, 'cat note')).toBe('kept');
    await again.suspend?.();
    clock.advance(30 * 86_400_000);
    await expect.poll(() => double.boxes).toEqual([]);
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('protocol double: starts in /workspace in snapshots whose user may not create it', async () => {
    const { make } = ground();
    const backend = await make({ TERMINAL_DAYTONA_IMAGE: 'snapshot:daytona-small' });
    const sandbox = await backend.create(newSpec());
    expect(await runIn(sandbox, 'id -un; pwd; touch note; ls; mkdir /other 2>/dev/null || echo no')).toBe(
      'daytona\n/workspace\nnote\nno',
    );
    await sandbox.destroy();
  });

  it('protocol double: says which folder to set where the user of a snapshot has no sudo', async () => {
    const { double, make } = ground();
    const backend = await make({ TERMINAL_DAYTONA_IMAGE: 'snapshot:no-sudo' });
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringMatching(/user daytona .*\/workspace.*terminal\.cwd.*\/home\/daytona\/workspace/),
    });
    expect(double.boxes).toEqual([]);
    const sandbox = await backend.create(newSpec({ cwd: '/home/daytona/workspace' }));
    expect(await runIn(sandbox, 'touch note; pwd')).toBe('/home/daytona/workspace');
    await sandbox.destroy();
  });
});
