// The column of the local backend where there is bash, and busybox for everything else.
import { useService } from '../../services/use-service.ts';
import type { Column } from '../column.ts';
import { column as local } from './local.ts';
import { openLocalGround } from './local-ground.ts';

export const column: Column = {
  ...local,
  name: 'local-busybox',
  open: async () => openLocalGround({ path: (await useService('busybox')).binDir }),
};
