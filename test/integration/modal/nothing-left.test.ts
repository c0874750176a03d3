// The modal backend against a protocol double: steps that are cut off in the middle leave nothing that is billed, and what is
// kept is known.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ModalDouble } from '../../doubles/modal-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { listed, type ModalGround, newSpec, runIn, useGround } from './ground.ts';

describeWith('bubblewrap', () => {
  const ground = useGround();
  afterEach(() => clear(ground().double));
  snapshotFaults(ground);
  vanishing(ground);
  cancellation(ground);
});

/** What a test has left is its own fault, and none of the next one. */
async function clear(double: ModalDouble): Promise<void> {
  double.faults.clear();
  double.faults.onCall = () => undefined;
  for (const { name } of double.living()) await double.remove(name);
  for (const id of double.snapshots()) await double.removeImage(id);
}

/** As long as it is there, nobody can write the list of snapshots. */
async function withoutSnapshotFile<T>({ home }: ModalGround, work: () => Promise<T>): Promise<T> {
  const lock = join(home, 'modal_snapshots.json.lock');
  await mkdir(lock);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true });
  }
}

const billed = ({ double }: ModalGround) => [double.living().map(({ name }) => name), double.snapshots()];

function snapshotFaults(ground: () => ModalGround): void {
  it('protocol double: keeps no snapshot that could not be written down; the sandbox goes on', async () => {
    const backend = await ground().make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await withoutSnapshotFile(ground(), () => expect(sandbox.suspend?.()).rejects.toThrow());
    expect(billed(ground())).toEqual([[sandbox.ref.name], []]);
    expect(await runIn(sandbox, 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it('protocol double: ends what was resumed when that could not be written down', async () => {
    const backend = await ground().make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await runIn(sandbox, 'echo kept >note');
    await sandbox.suspend?.();
    await withoutSnapshotFile(ground(), () => expect(backend.attach(sandbox.ref)).rejects.toThrow());
    expect(ground().double.living()).toEqual([]);
    const again = await backend.attach(sandbox.ref);
    expect(await runIn(again, 'cat note')).toBe('kept');
    await again.destroy();
    expect(billed(ground())).toEqual([[], []]);
  });

  it('protocol double: is suspended although an old snapshot could not be deleted, which is made up for', async () => {
    const { double, make } = ground();
    const sandbox = await (await make()).create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    await sandbox.resume?.();
    double.faults.add('ImageDelete', { status: 'PERMISSION_DENIED' });
    await sandbox.suspend?.();
    expect(double.snapshots()).toHaveLength(2);
    await sandbox.resume?.();
    await sandbox.suspend?.();
    expect(double.snapshots()).toHaveLength(1);
    await sandbox.destroy();
    expect(billed(ground())).toEqual([[], []]);
  });

  it('protocol double: old snapshots go along with one that has vanished', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    await sandbox.resume?.();
    double.faults.add('ImageDelete', { status: 'PERMISSION_DENIED' });
    await sandbox.suspend?.();
    await double.removeImage(sandbox.ref.name);
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(billed(ground())).toEqual([[], []]);
  });
}

function vanishing(ground: () => ModalGround): void {
  it('protocol double: says so when a snapshot vanishes at the last moment', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    const removed = Promise.withResolvers<void>();
    double.faults.onCall = method => {
      if (method === 'SandboxCreateV2')
        void double.removeImage(sandbox.ref.name).then(() => removed.resolve());
    };
    double.faults.add('SandboxCreateV2', { heldBy: removed.promise });
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringContaining('A new one starts from the image'),
    });
    await backend.destroy?.(sandbox.ref);
    expect(billed(ground())).toEqual([[], []]);
  });

  it('protocol double: makes the app anew that somebody has stopped', async () => {
    const { double, make } = ground();
    const backend = await make();
    const sandbox = await backend.create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    double.removeApp('hermes-agent');
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    const again = await backend.attach(sandbox.ref);
    expect(await runIn(again, 'echo here')).toBe('here');
    await again.destroy();
  });

  it('protocol double: destroys what another gateway has made of it meanwhile, too', async () => {
    const [first, second] = [await ground().make(), await ground().make()];
    const sandbox = await first.create(newSpec({ persistent: true }));
    const other = await second.attach(sandbox.ref);
    await other.suspend?.();
    await other.resume?.();
    await sandbox.destroy();
    expect(billed(ground())).toEqual([[], []]);
  });

  it('protocol double: is made once when two gateways resume it at the same time', async () => {
    const [first, second] = [await ground().make(), await ground().make()];
    const sandbox = await first.create(newSpec({ persistent: true }));
    await sandbox.suspend?.();
    const both = await Promise.allSettled([first.attach(sandbox.ref), second.attach(sandbox.ref)]);
    const [one] = both.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    expect(one && (await runIn(one, 'echo here'))).toBe('here');
    expect(ground().double.living()).toHaveLength(1);
    await one?.destroy();
    expect(billed(ground())).toEqual([[], []]);
  });

  it('protocol double: takes nothing of others in the workspace for its own, of whatever kind', async () => {
    const { double, make } = ground();
    const backend = await make();
    expect(await listed(backend, 'elsewhere')).toEqual([]);
    // It was shown one of the older kind, and has asked what that is.
    expect(double.faults.count('SandboxTagsGet')).toBe(1);
    const other = { backend: 'modal', id: 'other', name: 'hermes-other', installation: 'elsewhere' };
    await expect(backend.attach(other)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await backend.destroy?.(other);
    expect(double.trespasses).toEqual([]);
  });

  it('protocol double: lists the others when one ends meanwhile', async () => {
    const { double, make } = ground();
    const backend = await make();
    const made = [];
    for (let at = 0; at < 5; at++) made.push(await backend.create(newSpec({ installation: 'many' })));
    expect(await listed(backend, 'many')).toHaveLength(5);
    double.faults.add('SandboxTagsGetV2', { status: 'NOT_FOUND' });
    expect(await listed(backend, 'many')).toHaveLength(4);
    await Promise.all(made.map(each => each.destroy()));
  });
}

function cancellation(ground: () => ModalGround): void {
  it.each(['SandboxListV2', 'SandboxTagsGetV2'])(
    'protocol double: waits for %s no longer than somebody wants the list',
    async method => {
      const { double, make } = ground();
      const backend = await make();
      const sandbox = await backend.create(newSpec());
      const answer = Promise.withResolvers<void>();
      double.faults.add(method, { heldBy: answer.promise });
      const abort = new AbortController();
      const [before, listing] = [double.faults.count(method), listed(backend, 'test', abort.signal)];
      const given = expect(listing).rejects.toThrow('given up');
      await expect.poll(() => double.faults.count(method)).toBe(before + 1);
      abort.abort(new Error('given up'));
      // The answer is held until then.
      await given;
      answer.resolve();
      await sandbox.destroy();
    },
  );

  const MOMENTS = [
    'ImageGetOrCreate',
    'SandboxCreateV2',
    'TaskExecStart',
    'TaskExecStdioRead',
    'TaskExecWait',
  ];
  it.each(MOMENTS)('protocol double: leaves nothing when a creation is canceled at %s', async moment => {
    const { double, make } = ground();
    const backend = await make();
    const abort = new AbortController();
    double.faults.onCall = method => method === moment && abort.abort(new Error('not wanted any more'));
    const making = backend.create(newSpec(), { signal: abort.signal });
    await expect(making).rejects.toThrow('not wanted any more');
    expect(billed(ground())).toEqual([[], []]);
  });

  it.each(['ImageFromId', 'SandboxCreateV2'])(
    'protocol double: keeps the snapshot when waking is canceled at %s',
    async moment => {
      const { double, make } = ground();
      const backend = await make();
      const sandbox = await backend.create(newSpec({ persistent: true }));
      await sandbox.suspend?.();
      const abort = new AbortController();
      double.faults.onCall = method => method === moment && abort.abort(new Error('not wanted any more'));
      const waking = backend.attach(sandbox.ref, { signal: abort.signal });
      await expect(waking).rejects.toThrow('not wanted any more');
      expect(billed(ground())).toEqual([[], [sandbox.ref.name]]);
      await backend.destroy?.(sandbox.ref);
    },
  );

  it('protocol double: values of commands are in nothing but their input', async () => {
    const { double, make } = ground();
    const value = 'canary-1f0c9a7d';
    const calls: string[] = [];
    double.faults.onCall = (method, request) => {
      if (Buffer.from(JSON.stringify(request)).includes(value)) calls.push(method);
      if (Buffer.from((request as { data?: Uint8Array }).data ?? []).includes(value)) calls.push(method);
    };
    const sandbox = await (await make()).create(newSpec({ env: { CANARY: value }, session: 'telegram:1' }));
    expect(await runIn(sandbox, 'echo $CANARY')).toBe(value);
    await sandbox.suspend?.();
    await sandbox.destroy();
    expect(new Set(calls)).toEqual(new Set(['TaskExecStdinWrite']));
  });
}
