// Payloads in the shapes of Slack's documentation: events, slash commands and presses of buttons.

export type Fields = Readonly<Record<string, unknown>>;

export const TEAM = 'T0HERMES1';
const APP = 'A0HERMES1';

export interface SlackPerson {
  /** Such as U100. */
  readonly id: string;
  readonly name?: string;
}

export interface SlackPlace {
  readonly channel: string;
  readonly kind: 'im' | 'channel' | 'group' | 'mpim';
  readonly thread?: string;
  /** Who wrote the message that opened the thread. */
  readonly threadBy?: string;
}

export interface SlackFileGiven {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The private chat of somebody with the app. */
export function directOf({ id }: SlackPerson): SlackPlace {
  return { channel: `D${id.slice(1)}`, kind: 'im' };
}

export function messageEvent(
  from: SlackPerson,
  { channel, kind, thread, threadBy }: SlackPlace,
  { ts, text, files = [] }: { ts: string; text: string; files?: readonly Fields[] },
): Fields {
  return {
    type: 'message',
    ...(files.length > 0 ? { subtype: 'file_share', upload: false, files } : {}),
    user: from.id,
    ts,
    client_msg_id: `11111111-2222-4333-8444-${ts.replace('.', '').padStart(12, '0').slice(-12)}`,
    text,
    team: TEAM,
    blocks: [
      {
        type: 'rich_text',
        block_id: 'b1',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
      },
    ],
    channel,
    event_ts: ts,
    channel_type: kind,
    ...(thread === undefined ? {} : { thread_ts: thread, parent_user_id: threadBy ?? from.id }),
  };
}

/** What Slack sends beside the message where somebody mentions the app. */
export function mentionEvent({
  subtype: _,
  channel_type: __,
  parent_user_id: ___,
  ...message
}: Fields): Fields {
  return { ...message, type: 'app_mention' };
}

export function editEvent(message: Fields, text: string, ts: string): Fields {
  const { channel, channel_type, ...inside } = message;
  return {
    type: 'message',
    subtype: 'message_changed',
    message: { ...inside, text, edited: { user: message['user'], ts } },
    previous_message: inside,
    channel,
    hidden: true,
    ts,
    event_ts: ts,
    channel_type,
  };
}

/** What an event stands in. */
export function eventCallback(event: unknown, eventId: string): Fields {
  return {
    token: 'verification',
    team_id: TEAM,
    context_team_id: TEAM,
    api_app_id: APP,
    event,
    type: 'event_callback',
    event_id: eventId,
    event_time: 1_700_000_000,
    authorizations: [{ enterprise_id: null, team_id: TEAM, user_id: 'U0BOT', is_bot: true }],
    is_ext_shared_channel: false,
    event_context: `4-${eventId}`,
  };
}

export function slashPayload(
  from: SlackPerson,
  { channel, kind }: SlackPlace,
  { text, trigger }: { text: string; trigger: string },
): Fields {
  return {
    token: 'verification',
    team_id: TEAM,
    team_domain: 'acme',
    channel_id: channel,
    channel_name: kind === 'im' ? 'directmessage' : 'general',
    user_id: from.id,
    user_name: 'whoever',
    command: '/hermes',
    text,
    api_app_id: APP,
    is_enterprise_install: 'false',
    response_url: `https://hooks.slack.com/commands/${TEAM}/1/x`,
    trigger_id: trigger,
  };
}

export interface PressGiven {
  readonly channel: string;
  readonly ts: string;
  readonly thread?: string | undefined;
  readonly action: Fields;
  readonly actionTs: string;
  readonly botId: string;
}

export function pressPayload(from: SlackPerson, given: PressGiven): Fields {
  const { channel, ts, thread, action, actionTs, botId } = given;
  const threaded = thread === undefined ? {} : { thread_ts: thread };
  return {
    type: 'block_actions',
    user: { id: from.id, username: 'whoever', name: 'whoever', team_id: TEAM },
    api_app_id: APP,
    token: 'verification',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false, ...threaded },
    trigger_id: `1.2.${actionTs}`,
    team: { id: TEAM, domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channel, name: channel.startsWith('D') ? 'directmessage' : 'general' },
    message: { type: 'message', ts, bot_id: botId, text: 'of the card', ...threaded },
    state: { values: {} },
    response_url: `https://hooks.slack.com/actions/${TEAM}/1/x`,
    actions: [{ ...action, block_id: 'b1', type: 'button', action_ts: actionTs }],
  };
}

/** Joins, other apps, reactions, edits and news: events that are said to nobody. */
export function bustleEvents({ channel, kind }: SlackPlace, nextTs: () => string): readonly Fields[] {
  const ts = nextTs();
  const inside = { channel, channel_type: kind, ts, event_ts: ts };
  const bot = { bot_id: 'B0OTHER', app_id: 'A0OTHER', user: 'U0OTHERBOT' };
  const item = { type: 'message', channel, ts };
  return [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U77',
      text: '<@U77> has joined the channel',
      ...inside,
    },
    { type: 'member_joined_channel', user: 'U77', channel, channel_type: 'C', team: TEAM, event_ts: ts },
    {
      type: 'message',
      subtype: 'bot_message',
      text: 'beep',
      username: 'other',
      bot_id: 'B0OTHER',
      ...inside,
    },
    { type: 'message', text: 'beep of a newer app', ...bot, ...inside },
    {
      type: 'message',
      subtype: 'channel_topic',
      user: 'U77',
      topic: 'x',
      text: 'set the topic: x',
      ...inside,
    },
    { type: 'message', subtype: 'message_deleted', hidden: true, deleted_ts: '1690000000.000001', ...inside },
    { type: 'message', subtype: 'message_replied', message: { ...item, user: 'U77', text: 'x' }, ...inside },
    { type: 'reaction_added', user: 'U77', reaction: 'thumbsup', item_user: 'U0BOT', item, event_ts: ts },
    {
      type: 'channel_rename',
      channel: { id: channel, name: 'renamed', created: 1_690_000_000 },
      event_ts: ts,
    },
    { type: 'user_typing', user: 'U77', channel },
  ];
}
