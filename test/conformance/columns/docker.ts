// The column of the docker backend: containers of a Debian image.
import { useService } from '../../services/use-service.ts';
import type { Column } from '../column.ts';
import { openDockerGround } from './docker-ground.ts';

export const column: Column = {
  name: 'docker',
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
  open: async () => ({
    ...(await openDockerGround({
      withBash: await useService('image-bookworm'),
      withoutBash: await useService('image-nobash'),
    })),
    bulkBytes: 1_000_000_000,
  }),
};
