// The column of the modal backend: the real SDK against a protocol double of the cloud, whose sandboxes run their commands
// in real namespaces. With HERMES_TEST_LIVE=modal it is the cloud itself.
import { openModalGround } from '../../integration/modal/ground.ts';
import { isLive } from '../../services/live.ts';
import type { Column, Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';
import { openLiveGround } from './modal-live.ts';

export const column: Column = {
  name: isLive('modal') ? 'modal (live)' : 'modal (protocol double)',
  capabilities: {
    isolation: 'machine',
    ownProcesses: true,
    survivesGateway: true,
    suspend: true,
    snapshot: true,
    images: true,
    mounts: false,
    networks: ['none', 'open'],
  },
  required: !isLive('modal'),
  quarter: 2,
  open: isLive('modal') ? openLiveGround : openGround,
};

async function openGround(): Promise<Ground> {
  const ground = await openModalGround();
  return {
    backend: await ground.make(),
    plantedSecret: ground.plantedSecret,
    spec: async () => ({}),
    processes: hostProcesses,
    removeFromOutside: ref => ground.double.remove(ref.name),
    withoutBash: await ground.make({ TERMINAL_MODAL_IMAGE: 'nobash' }),
    // Commands are root at Modal; one without capabilities has to respect permissions like anybody.
    unprivileged: await ground.make({ TERMINAL_MODAL_IMAGE: 'nocaps' }),
    close: () => ground.close(),
  };
}
