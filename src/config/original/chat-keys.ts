// The keys of chats: platforms, groups, conversations, approvals.
import { different, type Fact, flagOf, foreign, guard, isGiven, listOfTexts, moved, same } from './fact.ts';

const CHANNELS =
  'The agent answers in every channel and group that it is a member of. Remove it from the others, or list people in the allowlist of the platform.';

function commonOf(platform: string): readonly Fact[] {
  return [
    guard(`${platform}.allowed_channels`, CHANNELS),
    guard(`${platform}.allowed_chats`, CHANNELS),
    guard(`${platform}.ignored_channels`, CHANNELS),
    guard(`${platform}.ignored_threads`, CHANNELS),
    guard(`${platform}.allow_admin_from`, 'Roles decide who may do what: `hermes people role`.'),
    guard(`${platform}.user_allowed_commands`, 'Roles decide who may do what: `hermes people role`.'),
    guard(`${platform}.group_allow_admin_from`, 'Roles decide who may do what: `hermes people role`.'),
    guard(`${platform}.group_user_allowed_commands`, 'Roles decide who may do what: `hermes people role`.'),
    different(`${platform}.require_mention`, 'In groups the agent answers when it is mentioned.', [true]),
    different(`${platform}.channel_prompts`, 'There are no prompts for single channels.'),
    different(`${platform}.reactions`, 'The agent shows that it works in its own way.', [true, false]),
    foreign(`${platform}.extra`),
    foreign(`${platform}.home_channel`),
  ];
}

export const chatKeys: readonly Fact[] = [
  ...['telegram', 'discord', 'slack', 'whatsapp', 'signal'].flatMap(commonOf),
  moved(
    'discord.free_response_channels',
    'discord.free_channels',
    'A text with commas is read as a list.',
    raw => (isGiven(raw) ? listOfTexts(raw) : undefined),
  ),
  moved(
    'discord.auto_thread',
    'discord.thread_per_conversation',
    'The default is off here and was on there.',
    flagOf,
  ),
  different('slack.free_response_channels', 'In channels of Slack the agent answers when it is mentioned.'),
  different('telegram.free_response_chats', 'In groups the agent answers when it is mentioned.'),
  ...[
    'thread_require_mention',
    'bots_require_inline_mention',
    'history_backfill',
    'history_backfill_limit',
    'missed_message_backfill',
    'websocket_liveness_interval_seconds',
    'websocket_liveness_failure_threshold',
    'websocket_heartbeat_ack_max_age_seconds',
    'websocket_max_latency_seconds',
    'dm_role_auth_guild',
    'server_actions',
    'allow_any_attachment',
    'max_attachment_bytes',
    'approval_mentions',
    'voice_channel_inactivity_timeout_seconds',
    'voice_playback_timeout_seconds',
    'voice_fx',
    'no_thread_channels',
    'reply_to_mode',
  ].map(name => foreign(`discord.${name}`)),
  ...[
    'require_mention_channels',
    'ignore_other_user_mentions',
    'thread_require_mention',
    'allow_bots',
    'reply_to_mode',
  ].map(name => foreign(`slack.${name}`)),
  ...[
    'mention_patterns',
    'exclusive_bot_mentions',
    'bots_require_mention',
    'reply_to_mode',
    'guest_mode',
  ].map(name => foreign(`telegram.${name}`)),
  foreign('whatsapp.reply_prefix'),
  foreign('whatsapp.mention_patterns'),
  ...['telegram', 'discord', 'slack', 'whatsapp', 'signal'].map(name =>
    same(`${name}.unauthorized_dm_behavior`),
  ),
  same('unauthorized_dm_behavior'),
  same('group_sessions_per_user'),
  foreign('thread_sessions_per_user', 'A thread is a conversation of its own.'),
  same('session_reset.mode'),
  same('session_reset.at_hour'),
  same('session_reset.idle_minutes'),
  different('session_reset.notify', 'A chat is told when a new conversation has begun.', [true]),
  foreign('session_reset.notify_exclude_platforms'),
  foreign('session_reset.bg_process_max_age_hours', 'Background processes end with their sandbox.'),
  same(
    'approvals.mode',
    '`off` may stand without quotes. The default is `manual`; later versions of the original have `smart`.',
  ),
  same('approvals.timeout'),
  same('approvals.deny', 'A pattern forbids by program, flags and words, not by the text alone.'),
  same(
    'command_allowlist',
    'Descriptions of categories that the original wrote there match no command here.',
  ),
  different('approvals.cron_mode', 'There is no timer; nothing runs without a person.', ['deny']),
  different('approvals.single_query_mode', 'Without somebody to ask the answer is no.', ['deny']),
  different('approvals.unattended_mode', 'Without somebody to ask the answer is no.', ['deny']),
  guard(
    'approvals.smart_policy',
    'The rules that the model judges by in mode `smart` cannot be extended. Use `approvals.deny`.',
  ),
  different('approvals.denial_breaker_threshold', 'Every denial is reported to the agent as it is.', [3]),
  foreign('approvals.mcp_reload_confirm'),
  foreign('approvals.destructive_slash_confirm'),
];
