// The settings of the gateway: who is let in, and when a conversation starts afresh.
import { choice, commaListOf, fieldsOf, flag, integer, listOf, matching, text } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Gateway',
  doc: 'The people who may use the agent, and their conversations.',
  settings: {
    'gateway.allowed_users': setting(commaListOf(text('identities')), {
      default: [],
      env: 'GATEWAY_ALLOWED_USERS',
      doc: 'People who may talk to the agent, each with their platform: `telegram:123456789`.',
    }),
    'gateway.allow_all_users': setting(flag(), {
      default: false,
      env: 'GATEWAY_ALLOW_ALL_USERS',
      doc: 'Let everybody talk to the agent. Dangerous.',
    }),
    'gateway.busy': setting(choice(['interrupt', 'queue', 'steer']), {
      default: 'interrupt',
      doc: 'What a message does that comes during a run: end the run and start the next with it, wait for its end, or be given to the agent between its steps.',
    }),
    'gateway.background_notifications': setting(choice(['all', 'result', 'error', 'off']), {
      default: 'all',
      env: 'HERMES_BACKGROUND_NOTIFICATIONS',
      doc: 'What a chat is told of background processes: progress and end, the end only, only an end other than exit code 0, or nothing. Progress is told of those that the agent started with `check_interval`.',
    }),
    'gateway.max_concurrent_runs': setting(integer(1, 10_000), {
      default: 16,
      doc: 'How many sessions may run at once; of the others, whoever has waited longest comes first.',
    }),
    'gateway.plugins': setting(
      listOf(
        fieldsOf({
          name: matching(/^[a-z][a-z0-9-]{1,30}$/, 'a name'),
          module: matching(
            /^(?:\/.+|(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)$/,
            'an absolute path, or the name of a package',
          ),
        }),
      ),
      {
        default: [],
        env: 'GATEWAY_PLUGINS',
        doc: 'Platforms of your own: code of others that runs with all rights of the gateway. See platforms/plugins.md.',
      },
    ),
    group_sessions_per_user: setting(flag(), {
      default: true,
      doc: 'In groups, give each person a session of their own.',
    }),
    unauthorized_dm_behavior: setting(choice(['pair', 'ignore']), {
      default: 'pair',
      doc: 'What a stranger’s private message gets: a pairing code, or nothing.',
    }),
    'session_reset.mode': setting(choice(['both', 'idle', 'daily', 'none']), {
      default: 'both',
      doc: 'When a session starts afresh.',
    }),
    'session_reset.at_hour': setting(integer(0, 23), { default: 4, doc: 'Hour of the daily reset.' }),
    'session_reset.idle_minutes': setting(integer(1, 525_600, 'minutes'), {
      default: 1440,
      doc: 'Idle time after which a session starts afresh.',
    }),
  },
});
