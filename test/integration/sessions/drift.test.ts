// Changed settings: the sandbox is made anew, and at no moment are its files in none (P4, P10).
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Backend } from '../../../src/backends/backend.ts';
import { HermesError } from '../../../src/base/errors.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateways, once, request, stateOf, useGateways } from './use-gateways.ts';
import type { Gateway } from './world.ts';

const away = new HermesError('UNAVAILABLE_BACKEND', 'the engine is away');

/** A gateway that has other settings than those that the sandbox of `a` was made by. */
async function drifted(
  { started, restarted }: Gateways,
  options = {},
): Promise<{ gateway: Gateway; before: string }> {
  const first = await started();
  const { id } = await once(first, 'a', 'mkdir deep; echo precious >deep/note');
  const gateway = await restarted(first, { environment: { TERMINAL_CONTAINER_MEMORY: '512' }, ...options });
  return { gateway, before: id };
}

function movingFiles(gateways: Gateways): void {
  it('keeps the old one with its files when no new one can be made', async () => {
    const { gateway, before } = await drifted(gateways);
    let isAway = true;
    const { sandboxes } = gateways.troubled(gateway, {
      create: real => (spec, options) => (isAway ? Promise.reject(away) : real(spec, options)),
    });
    await expect(sandboxes.lease(await gateway.session('a'), request)).rejects.toThrow('the engine is away');
    isAway = false;
    const after = await once({ sandboxes, session: gateway.session }, 'a', 'cat deep/note');
    expect(after.stdout).toBe('precious\n');
    expect(after.notices.join()).toMatch(
      /settings have changed \(limits\).*Kept: .*workspace.*Not kept: installed.*\/new/,
    );
    expect(after.id).not.toBe(before);
  });

  it('goes on with the new one and its files when the old one cannot be removed', async () => {
    const { gateway, before } = await drifted(gateways);
    let isAway = true;
    const end = (real: NonNullable<Backend['destroy']>): NonNullable<Backend['destroy']> => {
      return (ref, options) => (isAway ? Promise.reject(away) : real(ref, options));
    };
    const { sandboxes, sweeper } = gateways.troubled(gateway, { destroy: end });
    const after = await once({ sandboxes, session: gateway.session }, 'a', 'cat deep/note');
    expect(after.stdout).toBe('precious\n');
    expect(after.notices.join()).toContain('settings have changed');
    expect(await stateOf(gateway, before)).toBe('destroying');
    isAway = false;
    gateway.age(60_000);
    await sweeper.sweep(['bubblewrap']);
    expect(await stateOf(gateway, before)).toBe('gone');
  });

  it('stays with the old one and says so when its files cannot be moved', async () => {
    const { gateway, before } = await drifted(gateways);
    const { sandboxes } = gateways.troubled(gateway, {
      create: real => async (spec, options) => {
        const sandbox = await real(spec, options);
        // In the way of a file, and not empty.
        await (await sandbox.spawn(['mkdir', '-p', 'deep/note/in-the-way'])).exit;
        return sandbox;
      },
    });
    const after = await once({ sandboxes, session: gateway.session }, 'a', 'cat deep/note');
    expect(after).toMatchObject({ id: before, stdout: 'precious\n' });
    expect(after.notices.join()).toContain('stays as it was');
    expect(await gateway.world.store.ledger.list({ states: ['ready'] })).toHaveLength(1);
  });
}

function standingBack(gateways: Gateways): void {
  it('says how to give files up that are on a backend which is away, and then goes on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drift-'));
    const { gateway, before } = await drifted(gateways, {
      environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: folder },
    });
    const isAway = () => Promise.reject(away);
    const { sandboxes } = gateways.troubled(gateway, { attach: () => isAway, destroy: () => isAway });
    const leasing = sandboxes.lease(await gateway.session('a'), request);
    await expect(leasing).rejects.toThrow(`hermes sandbox destroy ${before}`);
    expect(await sandboxes.destroy(before)).toBe(false);
    const after = await once({ sandboxes, session: gateway.session }, 'a', 'pwd');
    expect(after.stdout).toBe(`${folder}\n`);
    await rm(folder, { recursive: true });
  });

  it('needs no second place', async () => {
    const { gateway, before } = await drifted(gateways, { most: 1 });
    await gateway.sweeper.sweep(['bubblewrap']);
    const after = await once(gateway, 'a', 'cat deep/note');
    expect(after.stdout).toBe('precious\n');
    expect(after.id).not.toBe(before);
    expect(await once(gateway, 'b', 'echo next')).toMatchObject({ stdout: 'next\n' });
  });

  it('waits for what runs in the background', async () => {
    const gateway = await gateways.started();
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('sleep 600');
    await lease.release();
    const { id } = await gateway.session('a');
    await gateway.world.store.sessions.setNetwork(id, 'open');
    expect((await once(gateway, 'a', 'true')).id).toBe(lease.sandboxId);
    await process.kill();
    expect((await once(gateway, 'a', 'true')).id).not.toBe(lease.sandboxId);
  });
}

function staysContained(gateways: Gateways): void {
  /** A folder of this machine in which commands of `local` run. */
  async function hostFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'drift-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  it('P2: uses no sandbox that contains nothing once commands are to be contained, whatever runs in it', async () => {
    const folder = await hostFolder();
    await writeFile(join(folder, 'key'), 'of the host');
    const first = await gateways.started({ environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: folder } });
    const lease = await first.sandboxes.lease(await first.session('a'), request);
    await lease.start('sleep 600');
    expect((await lease.exec('pwd')).stdout).toBe(`${folder}\n`);
    await lease.release();
    const gateway = await gateways.restarted(first, { environment: { TERMINAL_ENV: 'bubblewrap' } });
    const after = await once(gateway, 'a', 'pwd; ls -A');
    expect(after).toMatchObject({ stdout: '/workspace\n' });
    expect(after.notices.join()).toMatch(/backend local → bubblewrap.*Not copied: .*local.*\/new/);
    expect(await stateOf(gateway, lease.sandboxId)).toBe('gone');
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('P2: lets no file out of a sandbox onto the machine by a change of the settings', async () => {
    const folder = await hostFolder();
    const first = await gateways.started();
    const { id } = await once(first, 'a', 'echo evil >.bashrc');
    const gateway = await gateways.restarted(first, {
      environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: folder },
    });
    const leasing = gateway.sandboxes.lease(await gateway.session('a'), request);
    await expect(leasing).rejects.toThrow(`hermes sandbox destroy ${id}`);
    await expect(leasing).rejects.toMatchObject({
      details: {
        forChat: expect.stringMatching(/on bubblewrap.*local now.*no command was run\. \/new starts/),
      },
    });
    expect(await readdir(folder)).toEqual([]);
    expect(await stateOf(gateway, id)).toBe('ready');
  });

  it('P2: does not stay in one that reaches more than the settings allow when its files cannot be moved', async () => {
    const gateway = await gateways.started();
    const { id } = await gateway.session('a');
    await gateway.world.store.sessions.setNetwork(id, 'open');
    const before = await once(gateway, 'a', 'echo precious >note');
    await gateway.world.store.sessions.setNetwork(id, 'none');
    const { sandboxes } = gateways.troubled(gateway, {
      create: real => async (spec, options) => {
        const sandbox = await real(spec, options);
        await (await sandbox.spawn(['mkdir', '-p', 'note/in-the-way'])).exit;
        return sandbox;
      },
    });
    const leasing = sandboxes.lease(await gateway.session('a'), request);
    await expect(leasing).rejects.toThrow('reaches more than the settings allow');
    expect(await stateOf(gateway, before.id)).toBe('ready');
    expect(await gateway.world.store.ledger.list({ states: ['ready', 'leased'] })).toHaveLength(1);
  });
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [movingFiles, standingBack, staysContained]) tests(gateways);
});
