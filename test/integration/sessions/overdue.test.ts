// Where no gateway runs, a command ends what is over by its age (P4): some of it, and nothing that is used.
import { expect, it } from 'vitest';
import { gatewayLock } from '../../../src/sessions/gateway-lock.ts';
import { endOverdue } from '../../../src/sessions/overdue.ts';
import { EXISTING_STATES } from '../../../src/store/sandbox-states.ts';
import { holdAlone } from '../../../src/store/sole-holder.ts';
import { describeWith } from '../../services/use-service.ts';
import { newHome, openGateway } from './world.ts';

const DAY_MS = 86_400_000;

describeWith('bubblewrap', () => {
  it('ends five at most, the suspended that are kept too long, and none beside a gateway', async () => {
    const home = await newHome();
    const gateway = await openGateway({ home, environment: { TERMINAL_ENV: 'bubblewrap' } });
    try {
      const { world, sandboxes } = gateway;
      const states = async () =>
        (await world.store.ledger.list({ states: EXISTING_STATES })).map(each => each.state);
      for (const chat of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
        const lease = await sandboxes.lease(await gateway.session(chat), { purpose: 'run', actor: 'test:1' });
        await lease.release();
        const entry = await world.store.ledger.find(lease.sandboxId);
        if (entry && chat !== 'g') expect(await sandboxes.retire(entry)).toBe(true);
      }
      expect(await endOverdue(world, home)).toEqual([]);
      gateway.age(8 * DAY_MS);
      const held = await sandboxes.lease(await gateway.session('g'), { purpose: 'run', actor: 'test:1' });
      const gatewayRuns = holdAlone(gatewayLock(home));
      expect(await endOverdue(world, home)).toEqual([]);
      gatewayRuns?.release();
      expect(await endOverdue(world, home)).toHaveLength(5);
      expect(await endOverdue(world, home)).toHaveLength(1);
      expect(await states()).toEqual(['leased']);
      await held.release();
    } finally {
      await gateway.close();
    }
  });
});
