// Every probe, in the order in which they are tried.

import type { Probe } from './probe.ts';
import { deviceProbes } from './probes/devices.ts';
import { fileProbes } from './probes/files.ts';
import { kernelProbes } from './probes/kernel.ts';
import { lifeProbes } from './probes/life.ts';
import { limitProbes } from './probes/limits.ts';
import { neighbourProbes } from './probes/neighbours.ts';
import { networkProbes } from './probes/network.ts';
import { privilegeProbes } from './probes/privileges.ts';
import { processProbes } from './probes/processes.ts';
import { protocolProbes } from './probes/protocol.ts';
import { setIdProbes } from './probes/set-id.ts';
import { socketProbes } from './probes/sockets.ts';

export const allProbes: readonly Probe[] = [
  ...fileProbes,
  ...setIdProbes,
  ...processProbes,
  ...privilegeProbes,
  ...kernelProbes,
  ...deviceProbes,
  ...networkProbes,
  ...socketProbes,
  ...neighbourProbes,
  ...limitProbes,
  ...lifeProbes,
  ...protocolProbes,
];
