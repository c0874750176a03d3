// What sandboxes of messaging sessions are made of, by the configuration: these are the ones that have to hold.
import type { Capabilities, Mount, SandboxSpec } from '../../backends/backend.ts';
import type { HermesConfig } from '../../compose.ts';

/** What every container is promised. */
const PROCESSES = 256;

export function messagingSpec(config: HermesConfig, capabilities: Capabilities): Partial<SandboxSpec> {
  const wanted = config.get('gateway.sandbox_network');
  const network = capabilities.networks.includes(wanted) ? wanted : capabilities.networks[0];
  const image = config.get('gateway.sandbox_image');
  return {
    limits: {
      cpus: config.get('terminal.container_cpu'),
      memoryMiB: config.get('terminal.container_memory'),
      diskMiB: config.get('terminal.container_disk'),
      processes: PROCESSES,
    },
    ...(network === undefined ? {} : { network }),
    ...(capabilities.images && image !== undefined ? { image } : {}),
    ...(capabilities.mounts ? { mounts: config.get('gateway.sandbox_volumes').map(toMount) } : {}),
  };
}

/** `/host:/inside` with `:ro` or `:rw`; the setting lets nothing else through. */
function toMount(volume: string): Mount {
  const [source = '', target = '', mode] = volume.split(':');
  return { source, target, readOnly: mode === 'ro' };
}
