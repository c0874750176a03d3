// The column of the daytona backend: the real clients against a protocol double of the cloud, whose sandboxes run their
// commands in real namespaces. With HERMES_TEST_LIVE=daytona it is the cloud itself.
import { openDaytonaGround } from '../../integration/daytona/ground.ts';
import { isLive } from '../../services/live.ts';
import type { Column, Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';
import { openLiveGround } from './daytona-live.ts';

export const column: Column = {
  name: isLive('daytona') ? 'daytona (live)' : 'daytona (protocol double)',
  capabilities: {
    isolation: 'machine',
    ownProcesses: true,
    survivesGateway: true,
    suspend: true,
    snapshot: false,
    images: true,
    mounts: false,
    networks: ['none', 'open'],
  },
  required: !isLive('daytona'),
  quarter: 3,
  open: isLive('daytona') ? openLiveGround : openGround,
};

async function openGround(): Promise<Ground> {
  const ground = await openDaytonaGround();
  const backend = await ground.make();
  return {
    backend,
    plantedSecret: ground.plantedSecret,
    spec: async () => ({}),
    processes: hostProcesses,
    async removeFromOutside(ref) {
      const box = ground.double.box(ref.name);
      box.delete();
      await box.settled();
    },
    withoutBash: await ground.make({ TERMINAL_DAYTONA_IMAGE: 'without-bash' }),
    // Nobody in the double's machines may pass over permissions.
    unprivileged: backend,
    close: () => ground.close(),
  };
}
