// The settings of the slack platform.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('SLACK');

export const section = defineSection({
  title: 'Slack',
  doc: 'The Slack platform.',
  settings: {
    'slack.bot_token': optional(text('a token'), {
      env: 'SLACK_BOT_TOKEN',
      secret: true,
      unset: 'the platform is off',
      doc: 'Bot token (begins with xoxb).',
    }),
    'slack.app_token': optional(text('a token'), {
      env: 'SLACK_APP_TOKEN',
      secret: true,
      unset: 'the platform is off',
      doc: 'App-level token for Socket Mode (begins with xapp).',
    }),
    'slack.allowed_users': people.allowedUsers,
    'slack.allow_all_users': people.allowAllUsers,
    'slack.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
