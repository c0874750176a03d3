// The modal backend against a protocol double: suspension, snapshots, and sandboxes that end under us.
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SandboxHandle } from '../../../src/index.ts';
import { heldClock } from '../../fixtures/held-clock.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { listed, type ModalGround, newSpec, runIn, useGround } from './ground.ts';

const snapshotFile = ({ home }: ModalGround): string => join(home, 'modal_snapshots.json');

const clock = manualClock();

describeWith('bubblewrap', () => {
  const ground = useGround({ clock });
  suspensions(ground);
  losses(ground);
  endings(ground);
  ages(ground);
});

function suspensions(ground: () => ModalGround): void {
  it('protocol double: keeps files over a suspension, with nothing that runs meanwhile', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true, network: 'none' }));
    await runIn(sandbox, 'echo kept >note');
    await sandbox.suspend?.();
    expect(double.living()).toEqual([]);
    expect((await stat(snapshotFile(ground()))).mode & 0o777).toBe(0o600);
    expect(await readFile(snapshotFile(ground()), 'utf8')).toContain(double.snapshots()[0] ?? 'none');
    expect(await listed(backend, 'test')).toMatchObject([{ id: sandbox.ref.id }]);
    // For the ledger.
    expect(sandbox.ref.name).toBe(double.snapshots()[0]);
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await sandbox.resume?.();
    expect(await runIn(sandbox, 'cat note')).toBe('kept');
    // What it may reach is as it was.
    expect(double.living()).toMatchObject([{ network: 'blocked' }]);
    await sandbox.destroy();
    expect([double.living(), double.snapshots()]).toEqual([[], []]);
    expect(JSON.parse(await readFile(snapshotFile(ground()), 'utf8'))).toEqual({ sandboxes: {} });
  });

  it('protocol double: nothing of the channel comes back with a snapshot', async () => {
    const { make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
    await handle.exec('echo kept >note', { persistent: true });
    const job = await handle.start('sleep 600');
    // A pipe that a process of before has left, where the next one would read.
    await handle.exec('mkfifo /.hermes/channel/stale');
    await sandbox.suspend?.();
    await sandbox.resume?.();
    const again = await SandboxHandle.open({ sandbox, clock: systemClock });
    expect(await again.exec('cat note; ls /.hermes/channel')).toMatchObject({
      outcome: 'exited',
      stdout: expect.stringMatching(/^kept\n(?!.*(?:stale|shell|jobs))/s),
    });
    expect(await again.exec('echo $((6 * 7))', { persistent: true })).toMatchObject({ stdout: '42\n' });
    await expect(again.process(job.id)).rejects.toMatchObject({ code: 'SANDBOX_PROCESS_UNKNOWN' });
    await again.destroy();
  });

  it('protocol double: is resumed by another gateway, and keeps only the newest snapshot', async () => {
    const { double, make } = ground();
    const [first, second] = [await make(), await make({ TERMINAL_MODAL_NETWORK: 'open' })];
    const sandbox = await first.create(newSpec({ persistent: true, network: 'none' }));
    const { ref } = sandbox;
    await runIn(sandbox, 'echo one >note');
    await sandbox.suspend?.();
    const again = await second.attach(sandbox.ref);
    expect(again.ref).toEqual(ref);
    await runIn(again, 'echo two >>note');
    // One that has been attached to only once more knows what it may reach, too.
    await (await first.attach(ref)).suspend?.();
    expect(double.snapshots()).toHaveLength(1);
    const third = await second.attach(ref);
    expect(await runIn(third, 'cat note')).toBe('one\ntwo');
    expect(double.living()).toMatchObject([{ network: 'blocked' }]);
    await second.destroy?.(ref);
    expect([double.living(), double.snapshots()]).toEqual([[], []]);
  });
}

function losses(ground: () => ModalGround): void {
  it('protocol double: says that a snapshot has vanished; a new one starts from the image', async () => {
    const { double, make } = ground();
    const backend = await make();
    const { ref, suspend } = await backend.create(newSpec({ persistent: true }));
    await suspend?.();
    for (const image of double.snapshots()) await double.removeImage(image);
    await expect(backend.attach(ref)).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('A new one starts from the image'),
    });
    expect(await listed(backend, 'test')).toEqual([]);
  });

  it('protocol double: a snapshot goes after thirty days', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    clock.advance(30 * 86_400_000);
    await expect.poll(() => double.snapshots()).toEqual([]);
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('protocol double: is resumed by what the ledger knows when the file is lost, without a network', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true, network: 'open' }));
    await runIn(sandbox, 'echo kept >note');
    await sandbox.suspend?.();
    const { ref } = sandbox;
    await rm(snapshotFile(ground()));
    const again = await backend.attach(ref);
    expect(await runIn(again, 'cat note')).toBe('kept');
    expect(double.living()).toMatchObject([{ network: 'blocked' }]);
    await again.destroy();
    await backend.destroy?.(ref);
    expect([double.living(), double.snapshots()]).toEqual([[], []]);
  });
}

function endings(ground: () => ModalGround): void {
  it('protocol double: a suspension that fails leaves it as it was', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    double.faults.add('TaskSnapshotFilesystem', { status: 'RESOURCE_EXHAUSTED', says: 'too many snapshots' });
    await expect(sandbox.suspend?.()).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    expect(await runIn(sandbox, 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it.each([
    ['expires', 'expire', 'the end of its life at Modal'],
    ['vanishes', 'remove', 'was ended at Modal'],
  ] as const)(
    'protocol double: one that %s under a command is lost, with the reason',
    async (_, end, words) => {
      const { double, make } = ground();
      const backend = await make();
      const sandbox = await backend.create(newSpec());
      const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
      const running = handle.exec('echo early; sleep 600', {
        onOutput: () => void double[end](sandbox.ref.name),
      });
      expect(await running).toMatchObject({ outcome: 'sandbox-lost', stdout: 'early\n' });
      await expect(handle.exec('echo again')).rejects.toMatchObject({
        code: 'SANDBOX_GONE',
        message: expect.stringContaining(words),
      });
      await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
      await handle.destroy();
    },
  );

  it('protocol double: starts processes although somebody has put a pipe where the sign of life is', async () => {
    const sandbox = await (await ground().make()).create(newSpec());
    await runIn(sandbox, 'rm -f /.hermes/alive; mkfifo /.hermes/alive');
    const process = await sandbox.spawn(['true']);
    expect(await process.exit).toEqual({ code: 0 });
    await sandbox.destroy();
  });
}

function ages(ground: () => ModalGround): void {
  it('protocol double: a gateway that died leaves what the next one finds and ends', async () => {
    const { double, make } = ground();
    const [dead, next] = [await make(), await make()];
    const { ref } = await dead.create(newSpec({ installation: 'crashed' }));
    await dead.close();
    expect(await listed(next, 'crashed')).toEqual([ref]);
    expect(await listed(next, 'others')).toEqual([]);
    await next.destroy?.(ref);
    await next.destroy?.(ref);
    expect(double.living()).toEqual([]);
  });

  it('protocol double: a sandbox ends by its age and by idleness, and is not idle while something runs', async () => {
    const { double, make } = ground();
    const backend = await make(
      {},
      heldClock(ms => ms >= 60_000),
    );
    const [old, idle] = [
      await backend.create(newSpec()),
      await backend.create(newSpec({ idleSeconds: 600 })),
    ];
    const [process] = await Promise.all([idle, old].map(each => each.spawn(['sleep', '600'])));
    clock.advance(20 * 60_000);
    expect(double.living()).toHaveLength(2);
    const timers = clock.pending().length;
    process?.kill();
    await process?.exit;
    // The cloud counts the idle time from when it has noticed the end itself.
    await expect.poll(() => clock.pending().length).toBe(timers + 1);
    clock.advance(20 * 60_000);
    await expect.poll(() => double.living().map(({ name }) => name)).toEqual([old.ref.name]);
    await expect(idle.spawn(['true'])).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('was idle for too long'),
    });
    clock.advance(86_400_000);
    await expect.poll(() => double.living()).toEqual([]);
    await expect(old.spawn(['true'])).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('end of its life'),
    });
  });
}
