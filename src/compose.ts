// The composition root: the only file that knows every part.
import { section as agent } from './agent/settings.ts';
import { section as approvals } from './approvals/settings.ts';
import { backendSections } from './backends/index.generated.ts';
import { section as terminal } from './backends/settings.ts';
import type { Config, SettingsOf } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { loadConfig } from './config/load.ts';
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
