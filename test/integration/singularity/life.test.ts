// The life of sandboxes on a real Apptainer: what outlives the gateway, a suspension, and what nothing may outlive.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findInstance } from '../../../src/backends/singularity/host-process.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { SandboxHandle, type SandboxRef } from '../../../src/index.ts';
import { hostProcesses } from '../../conformance/host-processes.ts';
import { newMarker } from '../../conformance/trial.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { listed, newSpec, runIn, useGround } from './ground.ts';
import type { KilledGateway } from './killed-gateway.ts';

describeWith('apptainer', () => {
  const ground = useGround();

  describe('a gateway that is killed', () => {
    it('leaves its instance and background processes, which another one finds and ends', async () => {
      const [id, marker] = [newId(), newMarker()];
      const { settings, environment, home } = ground();
      await killGateway({ settings, environment, home, id, marker });
      await until(
        async () => (await hostProcesses(`sleep ${marker}`)).length > 0,
        'the background process is there',
      );
      const [ref] = await listed(await ground().make(), 'test');
      expect(ref?.id).toBe(id);
      const again = await (await ground().make()).attach(ref as SandboxRef); // expected above
      const handle = await SandboxHandle.open({ sandbox: again, clock: systemClock });
      const [job] = await handle.processes();
      expect(await job?.poll()).toEqual({ state: 'running' });
      await handle.destroy();
      expect(await hostProcesses(`sleep ${marker}`)).toEqual([]);
      expect(await listed(await ground().make(), 'test')).toEqual([]);
    });
  });

  describe('suspend and resume', () => {
    it('keep the workspace, the home and changes to the image, and no process', async () => {
      const marker = newMarker();
      const sandbox = await (await ground().make()).create(newSpec({ persistent: true }));
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
      const sandbox = await (await ground().make()).create(newSpec({ persistent: false }));
      await runIn(sandbox, 'echo a >a; echo c >/etc/c');
      await sandbox.suspend?.();
      const again = await (await ground().make()).attach(sandbox.ref);
      expect(await runIn(again, 'cat a; ls /etc/c 2>/dev/null || echo none')).toBe('a\nnone');
      await again.destroy();
      await expect(sandbox.resume?.()).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    });
  });
});

function killGateway(gateway: KilledGateway): Promise<void> {
  const program = fileURLToPath(new URL('./killed-gateway.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, JSON.stringify(gateway)], { timeout: 55_000 }, (error, _, stderr) =>
      error?.signal === 'SIGKILL' ? resolve() : reject(new Error(`it was not killed: ${stderr}`)),
    );
  });
}
