// The platforms that are set up, for commands that look at them. Nothing is connected.
import { createLog } from '../../base/log.ts';
import type { HermesConfig } from '../../compose.ts';
import { platformDrivers } from '../../platforms/index.generated.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { CommandContext } from '../command.ts';

/** Throws CONFIG_INVALID for one that is set up in half. */
export async function openPlatforms(
  config: HermesConfig,
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<readonly Platform[]> {
  // What goes wrong is told by the command itself.
  const log = createLog({
    level: 'silent',
    destination: { write() {} },
    redact: text => text,
    now: clock.now,
  });
  const context = { clock, log, home: config.paths.home };
  const made = await Promise.all(
    Object.values(platformDrivers).map(async load => (await load()).createPlatform(config, context)),
  );
  return made.filter(platform => platform !== undefined);
}
