// The settings of the discord platform.
import { commaListOf, flag, matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('DISCORD');

export const section = defineSection({
  title: 'Discord',
  doc: 'The Discord platform.',
  settings: {
    'discord.bot_token': optional(text('a bot token'), {
      env: 'DISCORD_BOT_TOKEN',
      shape: { pattern: /^[\w-]+\.[\w-]+\.[\w-]+$/, looks: 'three parts with dots between them' },
      secret: true,
      unset: 'the platform is off',
      doc: 'Token of the bot, from the developer portal.',
    }),
    'discord.api_root': setting(matching(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'an http or https address'), {
      default: 'https://discord.com/api',
      env: 'DISCORD_API_ROOT',
      doc: 'Address of the API, without its version. The address of the gateway follows from it.',
    }),
    'discord.free_channels': setting(commaListOf(matching(/^\d{1,20}$/, 'ids of channels')), {
      default: [],
      env: 'DISCORD_FREE_CHANNELS',
      doc: 'Channels of servers in which every message is for the bot, also without a mention; their threads too.',
    }),
    'discord.thread_per_conversation': setting(flag(), {
      default: false,
      env: 'DISCORD_THREAD_PER_CONVERSATION',
      doc: 'Answer a mention in a channel in a thread of its own. In that thread no mention is needed.',
    }),
    'discord.allowed_users': people.allowedUsers,
    'discord.allow_all_users': people.allowAllUsers,
    'discord.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
