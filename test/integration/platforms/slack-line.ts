// A connection of the slack platform for tests, with what came over it.
import type { Clock } from '../../../src/base/clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Platform, PlatformEvent } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/slack/index.ts';
import { section } from '../../../src/platforms/slack/settings.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Line, logInto, openLine } from './line.ts';

export interface SlackAddress {
  readonly apiRoot: string;
  readonly botToken: string;
  readonly appToken: string;
}

export interface SlackLine extends Line {
  /** Lines of the log so far. */
  readonly log: readonly string[];
  message(text: string): Promise<PlatformEvent>;
}

/** Unless a clock is given, with waits twenty times as short as they should be. */
export async function slackPlatform(
  { apiRoot, botToken, appToken }: SlackAddress,
  lines: string[] = [],
  clock: Clock = hastyClock,
): Promise<Platform> {
  const environment = {
    HERMES_HOME: '/nonexistent',
    SLACK_API_ROOT: apiRoot,
    ...(botToken === '' ? {} : { SLACK_BOT_TOKEN: botToken }),
    ...(appToken === '' ? {} : { SLACK_APP_TOKEN: appToken }),
  };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const platform = createPlatform(config, { clock, log: logInto(lines) });
  if (!platform) throw new Error('it is not set up, and there is none');
  return platform;
}

export async function connectSlack(
  address: SlackAddress,
  receive: (event: PlatformEvent) => Promise<void> = async () => undefined,
  clock: Clock = hastyClock,
): Promise<SlackLine> {
  const log: string[] = [];
  const platform = await slackPlatform(address, log, clock);
  const line = await openLine(platform, receive);
  return {
    ...{ ...line, log },
    message: text => line.event(each => each.kind === 'message' && each.text === text),
  };
}
