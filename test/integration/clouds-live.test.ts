// Backends at the service itself: a sandbox is made, used and destroyed. Only in runs with HERMES_TEST_LIVE=daytona,modal.
import { expect, it } from 'vitest';
import { openLiveGround as openDaytona } from '../conformance/columns/daytona-live.ts';
import { openLiveGround as openModal } from '../conformance/columns/modal-live.ts';
import { NotAvailable } from '../services/service.ts';
import { listed, newSpec, runIn } from './modal/ground.ts';

it.for([
  ['daytona', openDaytona],
  ['modal', openModal],
] as const)(
  '%s makes a sandbox in the cloud, runs a command and leaves nothing',
  { timeout: 600_000 },
  async ([name, open], { skip }) => {
    const ground = await open().catch((error: unknown) => {
      if (error instanceof NotAvailable) return error.message;
      throw error;
    });
    if (typeof ground === 'string') return skip(`not run: ${name}: ${ground}`);
    try {
      const { backend } = ground;
      expect(await backend.check()).toEqual([]);
      const sandbox = await backend.create(newSpec({ ...(await ground.spec()), network: 'none' }));
      expect(await runIn(sandbox, 'echo $((6 * 7))')).toBe('42');
      await sandbox.destroy();
      expect(await listed(backend, sandbox.ref.installation)).toEqual([]);
    } finally {
      await ground.close();
    }
  },
);
