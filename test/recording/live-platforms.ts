// The messengers that a live check can reach: which variables it needs, and how its platform is made.
import { loadConfig } from '../../src/config/load.ts';
import * as discord from '../../src/platforms/discord/index.ts';
import { section as discordSection } from '../../src/platforms/discord/settings.ts';
import type { Platform, PlatformContext } from '../../src/platforms/platform.ts';
import * as signal from '../../src/platforms/signal/index.ts';
import { section as signalSection } from '../../src/platforms/signal/settings.ts';
import * as slack from '../../src/platforms/slack/index.ts';
import { section as slackSection } from '../../src/platforms/slack/settings.ts';
import * as telegram from '../../src/platforms/telegram/index.ts';
import { section as telegramSection } from '../../src/platforms/telegram/settings.ts';
import * as whatsapp from '../../src/platforms/whatsapp/index.ts';
import { section as whatsappSection } from '../../src/platforms/whatsapp/settings.ts';

type Environment = Readonly<Record<string, string>>;

export interface LivePlatform {
  readonly name: string;
  readonly credentials: readonly string[];
  /** The variable with the chat that the check writes to: a private one with a person who knows of it. */
  readonly chat: string;
  /** The variable for the address of the API, and the service's; absent = the credentials name it, and nothing is recorded. */
  readonly root?: readonly [variable: string, address: string];
  open(environment: Environment, context: PlatformContext): Promise<Platform | undefined>;
}

const load = <const S extends Parameters<typeof loadConfig>[0]['sections']>(
  sections: S,
  environment: Environment,
) => loadConfig({ sections, environment: { HERMES_HOME: '/nonexistent', ...environment }, flags: {} });

export const livePlatforms: readonly LivePlatform[] = [
  {
    name: 'telegram',
    credentials: ['TELEGRAM_BOT_TOKEN'],
    chat: 'HERMES_TEST_TELEGRAM_CHAT',
    root: ['TELEGRAM_API_ROOT', 'https://api.telegram.org'],
    open: async (environment, context) =>
      telegram.createPlatform(await load([telegramSection], environment), context),
  },
  {
    name: 'slack',
    credentials: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
    chat: 'HERMES_TEST_SLACK_CHAT',
    root: ['SLACK_API_ROOT', 'https://slack.com/api'],
    open: async (environment, context) =>
      slack.createPlatform(await load([slackSection], environment), context),
  },
  {
    name: 'discord',
    credentials: ['DISCORD_BOT_TOKEN'],
    chat: 'HERMES_TEST_DISCORD_CHAT',
    root: ['DISCORD_API_ROOT', 'https://discord.com/api'],
    open: async (environment, context) =>
      discord.createPlatform(await load([discordSection], environment), context),
  },
  {
    name: 'whatsapp',
    credentials: [
      ...['WHATSAPP_ACCESS_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET'],
      'WHATSAPP_VERIFY_TOKEN',
    ],
    chat: 'HERMES_TEST_WHATSAPP_CHAT',
    root: ['WHATSAPP_API_ROOT', 'https://graph.facebook.com/v25.0'],
    open: async (environment, context) =>
      whatsapp.createPlatform(await load([whatsappSection], { WHATSAPP_PORT: '0', ...environment }), context),
  },
  {
    name: 'signal',
    credentials: ['SIGNAL_HTTP_URL', 'SIGNAL_ACCOUNT'],
    chat: 'HERMES_TEST_SIGNAL_CHAT',
    open: async (environment, context) =>
      signal.createPlatform(await load([signalSection], environment), context),
  },
];
