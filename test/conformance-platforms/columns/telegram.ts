// The column of the telegram platform: the real grammY against our double of the Bot API.
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import { section } from '../../../src/platforms/telegram/settings.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import type { Column, Ground, Peer, Place, Seen } from '../column.ts';

const MIB = 1024 * 1024;
const PERSON = { id: 4201, name: 'Ada' };
const OTHER = { id: 4202, name: 'Bob' };
const PLACES = {
  private: { id: PERSON.id, kind: 'private' },
  other: { id: OTHER.id, kind: 'private' },
  group: { id: -1009000, kind: 'group' },
  thread: { id: -1009000, kind: 'group', thread: 17 },
} as const;
const SENDING = ['sendMessage', 'editMessageText', 'sendDocument', 'sendPhoto'];

export const column: Column = {
  name: 'telegram',
  capabilities: {
    maxText: 4096,
    edits: true,
    editEveryMs: 3000,
    buttons: true,
    maxButtonData: 64,
    typing: true,
    groups: true,
    threads: true,
    maxFileIn: 20 * MIB,
    maxFileOut: 50 * MIB,
    isPublic: true,
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
    'whenMenu',
    'fetched',
    'unacknowledged',
    'limitOnce',
    'refuseFormattingOnce',
    'failOnce',
    'blockOnce',
    'cut',
    'restore',
    'revoke',
    'compete',
    'push',
  ],
  async open(options): Promise<Ground> {
    const telegram = await startTelegram(options);
    const environment = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
    const config = await loadConfig({
      sections: [section],
      environment: { HERMES_HOME: '/nonexistent', ...environment },
      flags: {},
    });
    return {
      environment,
      create(context) {
        const platform = createPlatform(config, context);
        if (!platform) throw new Error('it is set up, and there is none');
        return platform;
      },
      secrets: [telegram.token, telegram.token.split(':')[1] ?? ''],
      peer: peerOf(telegram),
      close: () => telegram.close(),
    };
  },
};

function peerOf(telegram: TelegramDouble): Peer {
  const seen = (place: Place = 'private'): readonly Seen[] => {
    const { id, thread } = { thread: undefined, ...PLACES[place] };
    return telegram.sent
      .filter(message => message.chat === String(id) && message.thread === (thread && String(thread)))
      .map(({ buttons, ...message }) => ({ ...message, buttons: buttons.flat() }));
  };
  const failNext = (fault: Parameters<TelegramDouble['fault']>[1]): void => telegram.fault(SENDING, fault);
  let last = 0;
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const isGroup = PLACES[place].kind === 'group';
      const words = isGroup && isForBot !== 'no' ? `@${telegram.bot.username} ${text}` : text;
      last = telegram.say(PERSON, words, { chat: PLACES[place], ...(file ? { file } : {}) });
    },
    seen,
    whenSeen: async (holds, place) => {
      await telegram.whenSent(() => seen(place).some(holds));
      // It was there a moment ago, and nothing is ever taken away.
      return seen(place).find(holds) as Seen;
    },
    otherSays: async text => void telegram.say(OTHER, text),
    async sayAs(who, text) {
      const from = who === 'bot' ? { id: 99, isBot: true } : { id: telegram.bot.id, isBot: true };
      telegram.say(from, text, { chat: PLACES.private });
    },
    bustle: async () => telegram.bustle(PLACES.group),
    async editLast(text) {
      telegram.say(PERSON, text, { edits: last });
    },
    repeatLast: async () => telegram.repeatLast(),
    press: async (message, data) => void telegram.press(PERSON, message.id, data),
    whenNotice: async text => {
      await telegram.whenCalled('answerCallbackQuery', ({ params }) => params['text'] === text);
    },
    whenTyping: async place => {
      const id = String(PLACES[place].id);
      await telegram.whenCalled('sendChatAction', ({ params }) => params['chat_id'] === id);
    },
    whenMenu: async command => {
      await telegram.whenCalled('setMyCommands', ({ params }) =>
        JSON.stringify(params).includes(`"${command}"`),
      );
    },
    fetched: () => telegram.calls.filter(({ method }) => ['getFile', 'file'].includes(method)).length,
    unacknowledged: () => telegram.unacknowledged,
    limitOnce: seconds => failNext({ retryAfterSeconds: seconds }),
    refuseFormattingOnce: () => failNext('bad-formatting'),
    failOnce: () => failNext('server-error'),
    blockOnce: () => failNext('blocked'),
    cut: () => telegram.cut(),
    restore: () => telegram.restore(),
    revoke: () => telegram.fault('*', 'bad-token', { times: Number.POSITIVE_INFINITY }),
    compete: state =>
      state === 'on'
        ? telegram.fault('getUpdates', 'conflict', { times: Number.POSITIVE_INFINITY })
        : telegram.heal(),
    push: payload => telegram.push(payload),
  };
}
