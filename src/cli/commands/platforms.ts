// The platforms that are set up, for commands that look at them. Nothing is connected.
import { createLog, type Log } from '../../base/log.ts';
import type { HermesConfig } from '../../compose.ts';
import { platformDrivers } from '../../platforms/index.generated.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { CommandContext } from '../command.ts';

/** Throws CONFIG_INVALID for one that is set up in half. */
export async function openPlatforms(
  config: HermesConfig,
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<readonly Platform[]> {
  const context = { clock, log: silentLog(clock), home: config.paths.home };
  const made = await Promise.all(
    Object.values(platformDrivers).map(async load => (await load()).createPlatform(config, context)),
  );
  return made.filter(platform => platform !== undefined);
}

/** One of them; undefined when it is not set up. Throws CONFIG_INVALID when it is in half. */
export async function openPlatform(
  name: keyof typeof platformDrivers,
  config: HermesConfig,
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<Platform | undefined> {
  const { createPlatform } = await platformDrivers[name]();
  return createPlatform(config, { clock, log: silentLog(clock), home: config.paths.home });
}

/** Those of plugins, whose code is run; one that cannot be loaded says why when it is to connect. */
export async function openPlugged(
  config: HermesConfig,
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<readonly Platform[]> {
  const { openPlugins } = await import('../../compose/plugins/plugins.ts');
  return openPlugins(config, { clock, log: silentLog(clock) });
}

/** What goes wrong is told by the command itself. */
function silentLog(clock: CommandContext['clock']): Log {
  return createLog({
    level: 'silent',
    destination: { write() {} },
    redact: text => text,
    now: clock.now,
  });
}
