// The composition root: the only file that knows every part.
import { section as agent } from './agent/settings.ts';
import { section as approvals } from './approvals/settings.ts';
import type { Backend, DriverContext } from './backends/backend.ts';
import { backendDrivers, backendSections } from './backends/index.generated.ts';
import { section as terminal } from './backends/settings.ts';
import { HermesError } from './base/errors.ts';
import type { Config, SettingsOf } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { loadConfig } from './config/load.ts';
import { nearestName } from './config/nearest.ts';
import type { FlagValue } from './config/resolve.ts';
import { section as executeCode } from './execute-code/settings.ts';
import { section as gateway } from './gateway/settings.ts';
import { platformSections } from './platforms/index.generated.ts';

export const sections = [
  terminal,
  ...backendSections,
  gateway,
  approvals,
  executeCode,
  agent,
  ...platformSections,
] as const;

export type HermesConfig = Config<SettingsOf<typeof sections>>;

export function loadHermesConfig(
  environment: Environment,
  flags: Readonly<Record<string, FlagValue>> = {},
): Promise<HermesConfig> {
  return loadConfig({ sections, environment, flags });
}

/** The driver of that name. Throws UNAVAILABLE_BACKEND when there is none. */
export async function createBackend(
  name: string,
  config: HermesConfig,
  context: DriverContext,
): Promise<Backend> {
  const drivers: Readonly<Record<string, (typeof backendDrivers)[keyof typeof backendDrivers]>> =
    backendDrivers;
  const load = drivers[name];
  if (load) return (await load()).createBackend(config, context);
  const nearest = nearestName(name, Object.keys(drivers));
  const known = Object.keys(drivers).join(', ');
  const message = `There is no backend ${name}. Known: ${known}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
  throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { backend: name } });
}
