// What is known of the singularity backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
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
  imageSetting: 'terminal.singularity_image',
  networkSetting: 'terminal.singularity_network',
  root: 'Nothing here can become root: sudo and su do not work. Install into folders of your own instead.',
};
