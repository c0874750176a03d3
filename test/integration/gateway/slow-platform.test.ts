// A platform that hangs holds up nobody: neither the start, nor what others say, nor the stop. The real grammY against a
// double of the Bot API.
import { expect, it, onTestFinished } from 'vitest';
import { loadHermesConfig } from '../../../src/compose.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { within } from '../../wait.ts';
import { answered, cancelled, done, type Script } from './house.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

async function open(prepare: (telegram: Awaited<ReturnType<typeof startTelegram>>) => void, script?: Script) {
  const telegram = await startTelegram();
  onTestFinished(() => telegram.close());
  prepare(telegram);
  const settings = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  const house = await houses.open({
    environment: settings,
    ...(script ? { script } : {}),
    platforms: async ({ clock, log }) => {
      const platform = createPlatform(await loadHermesConfig(settings), { clock, log });
      return platform ? [platform] : [];
    },
  });
  return { ...house, telegram };
}

it('starts while the menu of commands is not taken, and says what the adapter says', async () => {
  const { gateway, telegram } = await open(double => {
    double.fault('setMyCommands', 'hang');
    double.fault('getUpdates', 'conflict', { times: 50 });
  });
  await telegram.whenCalled('setMyCommands');
  await expect.poll(() => gateway.status().platforms).toMatchObject([{ state: 'offline' }]);
});

it('takes in what others say while a button is not answered', async () => {
  const { telegram } = await open(
    () => {},
    async function* (turn) {
      if (turn.text !== 'ask') return yield answered(`echo ${turn.text}`);
      yield answered(`chosen ${await turn.answer?.('Which?', ['this', 'that'])}`);
    },
  );
  telegram.say(2, 'ask');
  const card = await telegram.whenSent(({ buttons }) => buttons.length > 0);
  telegram.fault('answerCallbackQuery', 'hang');
  telegram.press(2, card.id, card.buttons[0]?.[0]?.data ?? '');
  await telegram.whenCalled('answerCallbackQuery');
  telegram.say(3, 'hello');
  await telegram.whenSent(({ text }) => text === 'echo hello');
  await telegram.whenSent(({ text }) => text === 'chosen this');
});

it('stops, and tells running chats first, while a stranger’s reply hangs', async () => {
  const begun = Promise.withResolvers<void>();
  const { telegram, gateway } = await open(
    () => {},
    async function* (turn) {
      begun.resolve();
      await cancelled(turn);
      yield done('canceled');
    },
  );
  telegram.say(2, 'long');
  await within(begun.promise, 'the sending to begin');
  telegram.fault('sendMessage', 'hang', { times: 2 });
  telegram.say(66, 'let me in');
  await telegram.whenCalled('sendMessage', ({ params }) => params['chat_id'] === '66');
  await telegram.whenCalled('sendMessage', ({ params }) => params['chat_id'] === '1');
  const late = new AbortController();
  const stopped = gateway.stop({ signal: late.signal });
  await telegram.whenSent(({ chat, text }) => chat === '2' && text.includes('is being stopped'));
  late.abort();
  await within(stopped, 'the gateway has stopped');
});
