// The settings of the telegram platform.
import { matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('TELEGRAM');

export const section = defineSection({
  title: 'Telegram',
  doc: 'The Telegram platform.',
  settings: {
    'telegram.bot_token': optional(text('a bot token'), {
      env: 'TELEGRAM_BOT_TOKEN',
      shape: { pattern: /^\d+:[\w-]{20,}$/, looks: 'a number, a colon, and some 35 letters and digits' },
      secret: true,
      unset: 'the platform is off',
      doc: 'Token that BotFather gave you.',
    }),
    'telegram.api_root': setting(
      matching(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'an http or https address'),
      {
        default: 'https://api.telegram.org',
        env: 'TELEGRAM_API_ROOT',
        doc: 'Address of the Bot API, for a server of your own.',
      },
    ),
    'telegram.allowed_users': people.allowedUsers,
    'telegram.allow_all_users': people.allowAllUsers,
    'telegram.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
