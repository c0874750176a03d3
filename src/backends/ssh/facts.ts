// What is known of the ssh backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
  capabilities: {
    isolation: 'remote',
    ownProcesses: false,
    survivesGateway: true,
    suspend: false,
    snapshot: false,
    images: false,
    mounts: false,
    networks: ['open'],
  },
  shellSetting: 'terminal.ssh_persistent',
  disposableSetting: 'terminal.ssh_disposable',
};
