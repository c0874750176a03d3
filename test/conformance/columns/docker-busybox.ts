// The column of the docker backend with an image that has bash, and busybox for everything else.
import { useService } from '../../services/use-service.ts';
import type { Column } from '../column.ts';
import { column as docker } from './docker.ts';
import { openDockerGround } from './docker-ground.ts';

export const column: Column = {
  ...docker,
  name: 'docker-busybox',
  open: async () =>
    openDockerGround({
      withBash: await useService('image-busybox'),
      withoutBash: await useService('image-nobash'),
    }),
};
