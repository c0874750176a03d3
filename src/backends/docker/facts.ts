// What is known of the docker backend before its driver is loaded.
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
  autoRank: 1,
  imageSetting: 'terminal.docker_image',
  networkSetting: 'terminal.docker_network',
  root: 'Commands run as the user of the image, usually root without special rights. sudo adds none: what root may do here is for the operator to set (terminal.docker_extra_caps).',
};
