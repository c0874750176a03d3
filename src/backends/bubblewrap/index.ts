// The bubblewrap backend: sandboxes of Linux namespaces, without a daemon. Processes end with the gateway, files stay.
import type { Backend, Capabilities, DriverContext } from '../backend.ts';
import { type BubblewrapSettings, Driver } from './driver.ts';

const capabilities: Capabilities = {
  isolation: 'container',
  ownProcesses: true,
  survivesGateway: false,
  suspend: true,
  snapshot: false,
  images: false,
  mounts: true,
  networks: ['none'],
};

export function createBackend(settings: BubblewrapSettings, context: DriverContext): Backend {
  const driver = new Driver(settings, context);
  return {
    name: 'bubblewrap',
    capabilities,
    check: options => driver.check(options),
    create: (spec, options) => driver.create(spec, options),
    attach: (ref, options) => driver.attach(ref, options),
    list: installation => driver.list(installation),
    close: () => driver.close(),
  };
}
