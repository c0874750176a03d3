// What is known of the modal backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
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
  imageSetting: 'terminal.modal_image',
  networkSetting: 'terminal.modal_network',
  // The list prices of sandboxes; a chosen region multiplies them.
  prices: { currency: 'USD', cpuSecond: 0.00003942, gibSecond: 0.00000672, asOf: '2026-06' },
  root: 'Commands run as root; sudo is not needed.',
};
