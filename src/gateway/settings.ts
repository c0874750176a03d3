// The settings of the gateway: where messaging sessions run, how long their sandboxes live, who is let in.

import { backendChoice } from '../backends/settings.ts';
import {
  choice,
  commaListOf,
  duration,
  flag,
  integer,
  listOf,
  text,
  variableName,
  volume,
} from '../base/kinds.ts';
import { defineSection, optional, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Gateway',
  doc: 'Sandboxes of messaging sessions and the people who may use them.',
  settings: {
    'gateway.terminal_backend': optional(backendChoice, {
      env: 'GATEWAY_TERMINAL_BACKEND',
      unset: 'as `terminal.backend`',
      doc: 'Backend for messaging sessions; overrides `terminal.backend`.',
    }),
    'gateway.sandbox_image': optional(text('the name of an image'), {
      unset: 'as `terminal.docker_image`',
      doc: 'Image of messaging sandboxes.',
    }),
    'gateway.sandbox_lifetime': setting(duration(1, 31_536_000), {
      default: 3600,
      doc: 'How long a messaging sandbox may be idle before it is suspended or removed.',
    }),
    'gateway.sandbox_network': setting(choice(['none', 'open']), {
      default: 'none',
      doc: 'Network of messaging sandboxes.',
    }),
    'gateway.sandbox_retention': setting(duration(0, 315_360_000), {
      default: 604_800,
      doc: 'How long a suspended sandbox keeps its data.',
    }),
    'gateway.sandbox_volumes': setting(listOf(volume()), {
      default: [],
      doc: 'Host folders mounted into messaging sandboxes.',
    }),
    'gateway.sandbox_forward_env': setting(listOf(variableName()), {
      default: [],
      doc: 'Names of variables whose values reach commands of messaging sessions.',
    }),
    'gateway.allowed_users': setting(commaListOf(text('identities')), {
      default: [],
      env: 'GATEWAY_ALLOWED_USERS',
      doc: 'People who may talk to the agent on any platform.',
    }),
    'gateway.allow_all_users': setting(flag(), {
      default: false,
      env: 'GATEWAY_ALLOW_ALL_USERS',
      doc: 'Let everybody talk to the agent. Dangerous.',
    }),
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
