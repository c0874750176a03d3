// The platforms that the operator adds by `gateway.plugins`. One that cannot be loaded is a platform that does not work, and says
// why; the others serve.
import type { Clock } from '../../base/clock.ts';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import { platformNames } from '../../platforms/index.generated.ts';
import { sendParts } from '../../platforms/message-parts.ts';
import type { Platform, PlatformContext } from '../../platforms/platform.ts';
import { type PluginContext, variablePrefix } from '../../platforms/plugin.ts';
import { brokenPlatform } from '../broken-platform.ts';
import { checkedPlatform } from './checked-platform.ts';
import { loadModule } from './load-module.ts';

const LONGEST_LOAD_MS = 10_000;

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
    const context: PluginContext = {
      ...{ name, clock, log, home, sendParts },
      failure: (code, message, options) => new HermesError(code, message, options),
    };
    const load = async (): Promise<unknown> => {
      const { createPlatform } = await loadModule(entry.module, home);
      return createPlatform(config.variables(variablePrefix(name)), context);
    };
    const platform = await within(LONGEST_LOAD_MS, clock, load());
    return platform === undefined ? undefined : checkedPlatform(name, platform);
  } catch (error) {
    log.error({ platform: name, err: error }, 'a plugin cannot be used');
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The plugin ${name} (${entry.module}) cannot be used: ${reason}`;
    return brokenPlatform(name, asBroken(error, message));
  }
}

function asBroken(error: unknown, message: string): HermesError {
  const code = isHermesError(error) ? error.code : 'CONFIG_INVALID';
  return new HermesError(code, message, { cause: error });
}

/** What is still being loaded then may go on; nobody waits for it. */
async function within<T>(ms: number, clock: Clock, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = `it was not ready within ${ms / 1000} s. What takes long belongs into connect.`;
  const timer = clock.after(ms, () => late.reject(new HermesError('CONFIG_INVALID', message)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    timer.cancel();
  }
}
