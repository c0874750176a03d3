// What is known of the local backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
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
  shellSetting: 'terminal.local_persistent',
};
