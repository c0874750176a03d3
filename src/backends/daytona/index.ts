// The daytona backend: sandboxes in the cloud of Daytona, or in an installation of your own. They outlive the gateway, and
// stop by themselves when nobody asks for them any more; docs/backends/daytona.md has what they cost and reach.
import type { Backend, DriverContext } from '../backend.ts';
import { checkBackend } from './check.ts';
import { Driver } from './driver.ts';
import { facts } from './facts.ts';
import type { DaytonaSettings } from './plan.ts';
import { type ImportClients, importClients } from './sdk.ts';

export function createBackend(
  settings: DaytonaSettings,
  context: DriverContext,
  importing: ImportClients = importClients,
): Backend {
  const driver = new Driver(settings, context, importing);
  return {
    name: 'daytona',
    capabilities: facts.capabilities,
    check: (options = {}) => checkBackend(driver, settings, options),
    create: (spec, options) => driver.create(spec, options),
    attach: (ref, options) => driver.attach(ref, options),
    list: (installation, options) => driver.list(installation, options),
    destroy: (ref, options) => driver.destroy(ref, options),
    close: async () => undefined,
  };
}
