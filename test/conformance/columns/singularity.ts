// The column of the singularity backend: instances of Apptainer in a machine of its own, as an ordinary user there.
import { openSingularityGround } from '../../integration/singularity/ground.ts';
import type { Column, Ground } from '../column.ts';
import { hostProcesses } from '../host-processes.ts';

export const column: Column = {
  name: 'singularity',
  capabilities: {
    isolation: 'container',
    ownProcesses: true,
    survivesGateway: true,
    suspend: true,
    snapshot: false,
    images: true,
    mounts: true,
    networks: ['none', 'open'],
  },
  required: true,
  quarter: 1,
  open: openGround,
};

async function openGround(): Promise<Ground> {
  const ground = await openSingularityGround();
  const backend = await ground.make();
  return {
    backend,
    plantedSecret: ground.plantedSecret,
    spec: async () => ({}),
    processes: hostProcesses,
    removeFromOutside: ref => ground.removeFromOutside(ref),
    withoutBash: await ground.make({ TERMINAL_SINGULARITY_IMAGE: await ground.imageWithoutBash() }),
    // Nobody in a sandbox may pass over permissions.
    unprivileged: backend,
    close: () => ground.close(),
  };
}
