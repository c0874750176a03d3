// What is known of the bubblewrap backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
  capabilities: {
    isolation: 'container',
    ownProcesses: true,
    survivesGateway: false,
    suspend: true,
    snapshot: false,
    images: false,
    mounts: true,
    networks: ['none', 'open'],
  },
  autoRank: 2,
  root: 'Nothing here can become root: sudo and su do not work. Install into folders of your own instead.',
};
