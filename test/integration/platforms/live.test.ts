// Checks against the messengers themselves, where the run asks for them: HERMES_TEST_LIVE=telegram,slack with credentials and a
// chat in the environment. Otherwise nothing dials out, and the check itself is tried against a double.
import { expect, it } from 'vitest';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { checkLive } from '../../recording/live-check.ts';
import { livePlatforms } from '../../recording/live-platforms.ts';
import { keep } from '../../recording/recording.ts';
import { isLive, liveCredentials } from '../../services/live.ts';
import { NotAvailable } from '../../services/service.ts';

for (const live of livePlatforms.filter(({ name }) => isLive(name))) {
  it(`${live.name} itself takes a message, an edit, buttons and a file`, async ({ skip }) => {
    let values: Readonly<Record<string, string>>;
    try {
      values = liveCredentials(live.name, [...live.credentials, live.chat]);
    } catch (error) {
      if (error instanceof NotAvailable) return skip(`not run: ${live.name}: ${error.message}`);
      throw error;
    }
    const recording = await checkLive(live, values);
    if (recording) await keep(recording);
  });
}

it('the check itself works, and what it keeps has no token and no chat', async () => {
  const telegram = await startTelegram();
  const live = livePlatforms.find(({ name }) => name === 'telegram');
  if (!live) throw new Error('telegram cannot be checked');
  const values = { TELEGRAM_BOT_TOKEN: telegram.token, [live.chat]: '4200042' };
  const recording = await checkLive(live, values, telegram.apiRoot);
  expect(telegram.sent.map(({ text, versions }) => [text, versions.length])).toEqual([
    ['Hermes live check: edited, without a button.', 2],
    ['', 1],
  ]);
  const kept = JSON.stringify(recording);
  for (const secret of [telegram.token, '4200042']) expect(kept).not.toContain(secret);
  expect(kept).toContain('/secret/sendMessage');
  await telegram.close();
});

it('a service that is not asked for is not reached', () => {
  expect(() => liveCredentials('nowhere', ['TOKEN_OF_NOWHERE'])).toThrow(
    'needs HERMES_TEST_LIVE=nowhere, TOKEN_OF_NOWHERE',
  );
});
