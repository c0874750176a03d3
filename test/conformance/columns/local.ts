// The column of the local backend: commands on this machine, with its own programs.
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Column } from '../column.ts';
import { openLocalGround } from './local-ground.ts';

export const column: Column = {
  name: 'local',
  capabilities: {
    isolation: 'none',
    ownProcesses: false,
    survivesGateway: true,
    suspend: false,
    snapshot: false,
    images: false,
    mounts: false,
    networks: ['open'],
  },
  required: true,
  open: async () => ({
    ...(await openLocalGround({ path: readEnvironment()['PATH'] ?? '' })),
    bulkBytes: 1_000_000_000,
  }),
};
