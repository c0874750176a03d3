// What is known of the daytona backend before its driver is loaded.
import type { BackendFacts } from '../backend.ts';

export const facts: BackendFacts = {
  capabilities: {
    isolation: 'machine',
    ownProcesses: true,
    survivesGateway: true,
    suspend: true,
    snapshot: false,
    images: true,
    mounts: false,
    networks: ['none', 'open'],
  },
  imageSetting: 'terminal.daytona_image',
  networkSetting: 'terminal.daytona_network',
  prices: { currency: 'USD', cpuSecond: 0.000_014, gibSecond: 0.000_004_5, asOf: '2026-06' },
  root: 'Commands run as the user of the image; in the usual images sudo works without a password.',
};
