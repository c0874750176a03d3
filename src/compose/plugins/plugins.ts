// The platforms that the operator adds by `gateway.plugins`. One that cannot be loaded is a platform that does not work, and says
// why; the others serve.
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { HermesConfig } from '../../compose.ts';
import { platformNames } from '../../platforms/index.generated.ts';
import { sendParts } from '../../platforms/message-parts.ts';
import type { Platform, PlatformContext } from '../../platforms/platform.ts';
import { type PluginContext, variablePrefix } from '../../platforms/plugin.ts';
import { checkedPlatform } from './checked-platform.ts';
import { loadModule } from './load-module.ts';

export interface PluginEntry {
  readonly name: string;
  readonly module: string;
}

/** Nothing of them is loaded. Throws CONFIG_INVALID where a name is taken. */
export function pluginsOf(config: Pick<HermesConfig, 'get'>): readonly PluginEntry[] {
  const entries = config.get('gateway.plugins');
  const taken = new Set<string>(platformNames);
  for (const { name } of entries) {
    if (taken.has(name)) {
      const message = `gateway.plugins names ${name}, which is a platform already. Give the plugin a name of its own.`;
      throw new HermesError('CONFIG_INVALID', message, { details: { setting: 'gateway.plugins', name } });
    }
    taken.add(name);
  }
  return entries;
}

/** To be shown at every start. */
export function pluginWarnings(config: Pick<HermesConfig, 'get'>): readonly string[] {
  return pluginsOf(config).map(
    ({ name, module }) =>
      `⚠ The plugin ${name} (${module}) runs with all rights of the gateway: it can read every message, key and file. Remove it from gateway.plugins if you do not trust it.`,
  );
}

/** In the order of the setting; those that are not set up are left out. */
export async function openPlugins(
  config: HermesConfig,
  context: Pick<PlatformContext, 'clock' | 'log'>,
): Promise<readonly Platform[]> {
  const made = await Promise.all(pluginsOf(config).map(entry => openPlugin(entry, config, context)));
  return made.filter(platform => platform !== undefined);
}

async function openPlugin(
  entry: PluginEntry,
  config: HermesConfig,
  { clock, log }: Pick<PlatformContext, 'clock' | 'log'>,
): Promise<Platform | undefined> {
  const { name } = entry;
  const { home } = config.paths;
  try {
    const plugin = await loadModule(entry.module, home);
    const context: PluginContext = {
      ...{ name, clock, log, home, sendParts },
      failure: (code, message, options) => new HermesError(code, message, options),
    };
    const platform: unknown = await plugin.createPlatform(config.variables(variablePrefix(name)), context);
    return platform === undefined ? undefined : checkedPlatform(name, platform);
  } catch (error) {
    return brokenPlatform(entry, error, log);
  }
}

function brokenPlatform({ name, module }: PluginEntry, error: unknown, log: Log): Platform {
  const message = `The plugin ${name} (${module}) cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  const code = isHermesError(error) ? error.code : 'CONFIG_INVALID';
  log.error({ platform: name, err: error }, 'a plugin cannot be used');
  return {
    name,
    capabilities: {
      maxText: 0,
      edits: false,
      editEveryMs: 0,
      buttons: false,
      maxButtonData: 0,
      typing: false,
      groups: false,
      threads: false,
      maxFileIn: 0,
      maxFileOut: 0,
      isPublic: false,
    },
    async connect() {
      throw new HermesError(code, message, { details: { plugin: name }, cause: error });
    },
  };
}
