// A connection of the telegram platform for tests, with what came over it.
import type { Clock } from '../../../src/base/clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { PlatformEvent } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import { section } from '../../../src/platforms/telegram/settings.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Line, logInto, openLine } from './line.ts';

export interface TelegramLine extends Line {
  /** Lines of the log so far. */
  readonly log: readonly string[];
}

/** Unless a clock is given, with waits twenty times as short as they should be. */
export async function connectTelegram(
  { apiRoot, token }: { readonly apiRoot: string; readonly token: string },
  receive: (event: PlatformEvent) => Promise<void> = async () => undefined,
  clock: Clock = hastyClock,
): Promise<TelegramLine> {
  const environment = { HERMES_HOME: '/nonexistent', TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const lines: string[] = [];
  const platform = createPlatform(config, { clock, log: logInto(lines) });
  if (!platform) throw new Error('it is set up, and there is none');
  return { ...(await openLine(platform, receive)), log: lines };
}
