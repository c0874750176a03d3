// The settings of the slack platform.
import { flag, matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('SLACK');

export const section = defineSection({
  title: 'Slack',
  doc: 'The Slack platform.',
  settings: {
    'slack.bot_token': optional(text('a token'), {
      env: 'SLACK_BOT_TOKEN',
      shape: { pattern: /^xoxb-\S+$/, looks: 'a text that begins with xoxb-' },
      secret: true,
      unset: 'the platform is off',
      doc: 'Bot token (begins with xoxb).',
    }),
    'slack.app_token': optional(text('a token'), {
      env: 'SLACK_APP_TOKEN',
      shape: { pattern: /^xapp-\S+$/, looks: 'a text that begins with xapp-' },
      secret: true,
      unset: 'the platform is off',
      doc: 'App-level token for Socket Mode (begins with xapp).',
    }),
    'slack.api_root': setting(matching(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'an http or https address'), {
      default: 'https://slack.com/api',
      env: 'SLACK_API_ROOT',
      doc: 'Address of the Web API; another one only for tests, or for a proxy of your own.',
    }),
    'slack.reply_in_thread': setting(flag(), {
      default: false,
      env: 'SLACK_REPLY_IN_THREAD',
      doc: 'Answer a mention in a channel in a thread under it, which is a conversation of its own.',
    }),
    'slack.allowed_users': people.allowedUsers,
    'slack.allow_all_users': people.allowAllUsers,
    'slack.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
