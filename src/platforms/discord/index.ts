// The discord platform: a bot of Discord's, over its gateway and its REST API.
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { check } from './account.ts';
import { capabilities } from './capabilities.ts';
import { connect, type DiscordOptions } from './connection.ts';
import type { section } from './settings.ts';

type DiscordSettings = SettingsReader<
  Pick<
    (typeof section)['settings'],
    'discord.bot_token' | 'discord.api_root' | 'discord.free_channels' | 'discord.thread_per_conversation'
  >
>;

export const createPlatform: PlatformDriver<DiscordSettings>['createPlatform'] = (settings, context) => {
  const token = settings.get('discord.bot_token');
  if (token === undefined) return undefined;
  const options: DiscordOptions = {
    token,
    apiRoot: settings.get('discord.api_root').replace(/\/+$/, ''),
    freeChannels: settings.get('discord.free_channels'),
    threads: settings.get('discord.thread_per_conversation') ? 'per-conversation' : 'as-they-are',
  };
  return {
    name: 'discord',
    capabilities,
    check: given => check(options, context, given?.signal),
    connect: given => connect(options, context, given),
  };
};
