// The settings of the discord platform.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('DISCORD');

export const section = defineSection({
  title: 'Discord',
  doc: 'The Discord platform.',
  settings: {
    'discord.bot_token': optional(text('a bot token'), {
      env: 'DISCORD_BOT_TOKEN',
      secret: true,
      unset: 'the platform is off',
      doc: 'Token of the bot, from the developer portal.',
    }),
    'discord.allowed_users': people.allowedUsers,
    'discord.allow_all_users': people.allowAllUsers,
    'discord.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
