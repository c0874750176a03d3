// The column of the slack platform: Slack's own clients against our double of the Web API and of Socket Mode.
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/slack/index.ts';
import { section } from '../../../src/platforms/slack/settings.ts';
import { directOf } from '../../doubles/slack-payloads.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import type { Column, Ground, Peer, Place, Seen } from '../column.ts';

const MIB = 1024 * 1024;
const PERSON = { id: 'U4201', name: 'Ada' };
const OTHER = { id: 'U4202', name: 'Bob' };
const GROUP = 'C9000';
const PLACES = {
  private: directOf(PERSON),
  other: directOf(OTHER),
  group: { channel: GROUP, kind: 'channel' },
  thread: { channel: GROUP, kind: 'channel', thread: '1690000000.000017' },
} as const;
const SENDING = ['chat.postMessage', 'chat.update', 'files.completeUploadExternal'];

export const column: Column = {
  name: 'slack',
  capabilities: {
    maxText: 39_000,
    edits: true,
    editEveryMs: 3000,
    buttons: true,
    maxButtonData: 2000,
    typing: true,
    groups: true,
    threads: true,
    maxFileIn: 50 * MIB,
    maxFileOut: 50 * MIB,
    isPublic: false,
  },
  powers: [
    'otherSays',
    'sayAs',
    'bustle',
    'editLast',
    'repeatLast',
    'press',
    'whenNotice',
    'whenTyping',
    'fetched',
    'unacknowledged',
    'limitOnce',
    'refuseFormattingOnce',
    'failOnce',
    'blockOnce',
    'cut',
    'restore',
    'revoke',
    'push',
  ],
  async open(options): Promise<Ground> {
    const slack = await SlackDouble.start(options);
    const environment = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_ROOT: slack.apiRoot,
    };
    const config = await loadConfig({
      sections: [section],
      environment: { HERMES_HOME: '/nonexistent', ...environment },
      flags: {},
    });
    return {
      create(context) {
        const platform = createPlatform(config, context);
        if (!platform) throw new Error('it is set up, and there is none');
        return platform;
      },
      secrets: [slack.botToken, slack.appToken, 'secret-of-the-socket'],
      environment,
      peer: peerOf(slack),
      close: () => slack.close(),
    };
  },
};

function peerOf(slack: SlackDouble): Peer {
  const { bot } = slack.workspace;
  const seen = (place: Place = 'private'): readonly Seen[] => {
    const { channel, thread } = { thread: undefined, ...PLACES[place] };
    return slack.sent
      .filter(message => message.channel === channel && message.thread === thread)
      .map(({ id, text, file, buttons }) => ({
        ...{ id, text, buttons: buttons.map(({ label, data }) => ({ label, data })) },
        ...(file ? { file } : {}),
      }));
  };
  const failNext = (fault: Parameters<SlackDouble['fault']>[1]): void => slack.fault(SENDING, fault);
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const isGroup = PLACES[place].kind !== 'im';
      const words = isGroup && isForBot !== 'no' ? `<@${bot.userId}> ${text}` : text;
      slack.say(PERSON, words, { place: PLACES[place], ...(file ? { file } : {}) });
    },
    seen,
    whenSeen: (holds, place) => slack.whenAmong(() => seen(place), holds),
    otherSays: async text => void slack.say(OTHER, text),
    async sayAs(who, text) {
      const event =
        who === 'bot'
          ? { subtype: 'bot_message', bot_id: 'B0OTHER', user: undefined }
          : { user: bot.userId, bot_id: bot.botId };
      slack.say(PERSON, text, { event });
    },
    bustle: async () => slack.bustle(PLACES.group),
    editLast: async text => slack.editLast(text),
    repeatLast: async () => slack.sockets.repeatLast(),
    press: async (message, data) => slack.press(PERSON, message.id, data),
    whenNotice: async text => {
      const { notices } = slack.workspace;
      await slack.whenAmong(
        () => notices,
        notice => notice.text === text && notice.user === PERSON.id,
      );
    },
    whenTyping: async place => {
      const { channel } = PLACES[place];
      await slack.whenCalled('reactions.add', ({ params }) => params['channel'] === channel);
    },
    fetched: () => slack.calls.filter(({ method }) => ['files.info', 'file'].includes(method)).length,
    unacknowledged: () => slack.sockets.unacknowledged,
    limitOnce: seconds => failNext({ retryAfterSeconds: seconds }),
    refuseFormattingOnce: () => failNext({ error: 'invalid_blocks' }),
    failOnce: () => failNext('server-error'),
    blockOnce: () => failNext({ error: 'channel_not_found' }),
    cut: () => slack.cut(),
    restore: () => slack.restore(),
    revoke: () => {
      slack.fault('*', { error: 'token_revoked' }, { times: Number.POSITIVE_INFINITY });
      slack.sockets.refresh('link_disabled');
    },
    push(payload) {
      slack.sockets.push(payload);
      slack.event(payload);
      slack.sockets.add('interactive', payload);
      slack.sockets.add('slash_commands', payload);
    },
  };
}
