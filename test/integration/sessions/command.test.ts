// What `hermes run` makes for itself: known to the installation while it lives, and found when it was killed (P4).
import { spawn } from 'node:child_process';
import { once as onceOf } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { hermesAt } from './hermes.ts';
import { stateOf, useGateways } from './use-gateways.ts';
import type { Gateway } from './world.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');

async function listed({ backend, world }: Gateway): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of backend.list(world.installation)) ids.push(id);
  return ids;
}

describeWith('bubblewrap', () => {
  const { started } = useGateways();
  const environment = { TERMINAL_ENV: 'bubblewrap' };

  it('P4: is left alone while the command lives, and removed when it was killed', async () => {
    const gateway = await started();
    const { ledger, leases } = gateway.world.store;
    const child = spawn(process.execPath, [program, 'run', '--', 'echo up; sleep 600'], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...environment,
        HERMES_HOME: gateway.home,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = onceOf(child, 'close');
    try {
      await onceOf(child.stdout, 'data');
      const [row] = await ledger.list();
      const id = row?.id ?? '';
      expect(row).toMatchObject({ state: 'leased', sessionId: null, whenIdle: 'destroy' });
      expect(await leases.list(id)).toMatchObject([{ purpose: 'hermes run', sessionId: null }]);
      expect(await gateway.sweeper.sweep(['bubblewrap'])).toMatchObject({
        orphans: [],
        lost: [],
        problems: [],
      });
      expect(await stateOf(gateway, id)).toBe('leased');
      child.kill('SIGKILL');
      await closed;
      expect(await listed(gateway)).toEqual([id]);
      gateway.age(100_000);
      await gateway.sweeper.sweep(['bubblewrap']);
      expect(await stateOf(gateway, id)).toBe('gone');
      expect(await listed(gateway)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      await closed;
    }
  });

  it('leaves nothing behind, whether the command ran or not', async () => {
    const gateway = await started();
    const { ledger, leases } = gateway.world.store;
    const hermes = hermesAt(gateway.home, environment);
    expect(await hermes.run(['run', '--', 'echo ok; exit 3'])).toMatchObject({ code: 3, stdout: 'ok\n' });
    expect((await hermes.run(['run', '--cwd', '/nowhere', '--', 'true'])).code).not.toBe(0);
    expect((await ledger.list()).map(({ state }) => state)).toEqual(['gone', 'gone']);
    expect(await leases.list()).toEqual([]);
    expect(await listed(gateway)).toEqual([]);
  });
});
