// The bubblewrap backend: sandboxes of Linux namespaces, without a daemon. Processes end with the gateway, files stay.
import type { Backend, DriverContext } from '../backend.ts';
import { type BubblewrapSettings, Driver } from './driver.ts';
import { facts } from './facts.ts';

export function createBackend(settings: BubblewrapSettings, context: DriverContext): Backend {
  const driver = new Driver(settings, context);
  return {
    name: 'bubblewrap',
    capabilities: facts.capabilities,
    check: options => driver.check(options),
    version: () => driver.version(),
    inspect: () => driver.inspect(),
    create: (spec, options) => driver.create(spec, options),
    attach: (ref, options) => driver.attach(ref, options),
    list: installation => driver.list(installation),
    destroy: ref => driver.destroy(ref),
    close: () => driver.close(),
  };
}
