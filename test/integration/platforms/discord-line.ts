// A connection of the discord platform for tests, with what came over it.
import type { Clock } from '../../../src/base/clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/discord/index.ts';
import { section } from '../../../src/platforms/discord/settings.ts';
import type { Platform, PlatformEvent } from '../../../src/platforms/platform.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Line, logInto, openLine } from './line.ts';

export type MessageEvent = Extract<PlatformEvent, { kind: 'message' }>;

type ButtonEvent = Extract<PlatformEvent, { kind: 'button' }>;

export interface DiscordLine extends Line {
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The first message with this text, now or later. */
  message(text: string): Promise<MessageEvent>;
  button(): Promise<ButtonEvent>;
}

export interface LineOptions {
  readonly receive?: (event: PlatformEvent) => Promise<void>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Absent = waits are twenty times as short as they should be. */
  readonly clock?: Clock;
}

interface Endpoint {
  readonly apiRoot: string;
  readonly token: string;
}

export async function discordPlatform(
  { apiRoot, token }: Endpoint,
  options: LineOptions,
  lines: string[],
): Promise<Platform> {
  const environment = {
    ...{ HERMES_HOME: '/nonexistent', DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: apiRoot },
    ...options.environment,
  };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const { home, clock = hastyClock } = options;
  const platform = createPlatform(config, {
    clock,
    log: logInto(lines),
    ...(home === undefined ? {} : { home }),
  });
  if (!platform) throw new Error('it is set up, and there is none');
  return platform;
}

export async function connectDiscord(endpoint: Endpoint, options: LineOptions = {}): Promise<DiscordLine> {
  const lines: string[] = [];
  const platform = await discordPlatform(endpoint, options, lines);
  const line = await openLine(platform, options.receive);
  const { events, when } = line;
  return {
    ...{ ...line, log: lines },
    message: text =>
      when(() =>
        events.find((event): event is MessageEvent => event.kind === 'message' && event.text === text),
      ),
    button: () => when(() => events.find((event): event is ButtonEvent => event.kind === 'button')),
  };
}
