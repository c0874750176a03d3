// The settings of the telegram platform.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('TELEGRAM');

export const section = defineSection({
  title: 'Telegram',
  doc: 'The Telegram platform.',
  settings: {
    'telegram.bot_token': optional(text('a bot token'), {
      env: 'TELEGRAM_BOT_TOKEN',
      secret: true,
      unset: 'the platform is off',
      doc: 'Token that BotFather gave you.',
    }),
    'telegram.allowed_users': people.allowedUsers,
    'telegram.allow_all_users': people.allowAllUsers,
    'telegram.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
