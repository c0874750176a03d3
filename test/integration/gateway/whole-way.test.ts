// The whole way, with nothing of ours left out: a message in Telegram (a protocol double, the real grammY), the real agent
// with a model on loopback, a bubblewrap sandbox, and the answer back in the chat.
import { afterEach, expect, it } from 'vitest';
import { loadHermesConfig } from '../../../src/compose.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import type { Heard } from '../../doubles/model-request.ts';
import { type Step, startModelServer } from '../../doubles/model-server.ts';
import { type SentMessage, startTelegram } from '../../doubles/telegram-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { isFinished } from './is-finished.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const call = (name: string, input: unknown): Step => ({ call: { name, input } });

async function openStage(
  houses: ReturnType<typeof useHouses>,
  script: (heard: Heard) => readonly Step[],
  environment: Readonly<Record<string, string>> = {},
) {
  const telegram = await startTelegram();
  const model = await startModelServer(script);
  const settings = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  const house = await houses.open({
    environment: { ...settings, ...environment },
    agent: (ground, desk) => realAgent(ground, desk, model.openAiUrl),
    platforms: async ({ clock, log }) => {
      const platform = createPlatform(await loadHermesConfig(settings), { clock, log });
      return platform ? [platform] : [];
    },
  });
  return { telegram, model, house };
}

type Stage = (
  script: (heard: Heard) => readonly Step[],
  environment?: Readonly<Record<string, string>>,
) => ReturnType<typeof openStage>;

function working(stage: Stage): void {
  it('answers a message with a file that was made in the sandbox', async () => {
    const { telegram } = await stage(({ results }) => {
      if (results.length === 0)
        return [call('terminal', { command: 'seq 3 > report.txt; wc -l report.txt' })];
      if (results.length === 1) return [call('send_file', { path: 'report.txt' })];
      return [{ text: `Receipt: ${results[1]}` }];
    });
    telegram.say(2, 'a report, please');
    const { file } = await telegram.whenSent(each => each.file !== undefined);
    expect(file?.name).toBe('report.txt');
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('1\n2\n3\n');
    const { text } = await telegram.whenSent(each => each.text.startsWith('Receipt: ') && isFinished(each));
    expect(text).toContain('Sent report.txt (6 bytes) to the chat.');
  });

  it('P3: serves two people and a group at the same time, and nothing of one reaches another', async () => {
    const { telegram, house } = await stage(({ lastText, results }) => {
      const canary = /canary-\d+/.exec(lastText)?.[0] ?? 'none';
      if (results.length === 0) {
        const command = `cat * 2>/dev/null; echo ${canary} > note; env | grep -o 'canary-.*'; sleep 0.3; cat note /workspace/*`;
        return [call('terminal', { command })];
      }
      return [{ text: `seen: ${results.join(' ')}` }];
    });
    const group = { id: -100, kind: 'group' } as const;
    const bot = `@${telegram.bot.username}`;
    telegram.say(2, 'keep canary-2');
    telegram.say(3, 'keep canary-3');
    telegram.say(2, `${bot} keep canary-102`, { chat: group });
    telegram.say(3, `${bot} keep canary-103`, { chat: group });
    const seen = [];
    for (const canary of ['canary-2', 'canary-3', 'canary-102', 'canary-103']) {
      const isIts = new RegExp(`${canary}\\b`);
      const isWhole = (each: SentMessage) => each.text.startsWith('seen') && isFinished(each);
      seen.push(await telegram.whenSent(each => isWhole(each) && isIts.test(each.text)));
    }
    expect(seen.map(({ chat }) => chat)).toEqual(['2', '3', '-100', '-100']);
    const others = seen.map(({ text }) => new Set(text.match(/canary-\d+/g)).size);
    expect(others).toEqual([1, 1, 1, 1]);
    const live = await house.ground.world.store.ledger.list({ states: ['ready', 'leased'] });
    expect(new Set(live.map(({ sessionId }) => sessionId)).size).toBe(4);
  });
}

function inTrouble(stage: Stage): void {
  it('P8: asks the owner about a command on `local`, runs nothing when it is denied, and warns in the status', async () => {
    const command = 'rm -rf /var/lib/hermes-test-nothing';
    const { telegram } = await stage(
      ({ results }) =>
        results.length === 0 ? [call('terminal', { command })] : [{ text: `result: ${results[0]}` }],
      { TERMINAL_ENV: 'local' },
    );
    telegram.say(2, 'clean up');
    const card = await telegram.whenSent(({ chat, buttons }) => chat === '1' && buttons.length > 0);
    expect(card.text).toContain(command);
    await telegram.whenSent(({ chat, text }) => chat === '2' && text.includes('Waiting for an owner'));
    const once = card.buttons.flat().find(({ label }) => label === 'Deny');
    telegram.press(2, card.id, once?.data ?? '');
    telegram.say(2, '/status');
    await telegram.whenSent(
      ({ chat, text }) => chat === '2' && text.includes('Gateway is running with local terminal backend'),
    );
    telegram.press(1, card.id, once?.data ?? '');
    await telegram.whenSent(({ chat, text }) => chat === '2' && text.includes('Denied by the owner'));
    await telegram.whenSent(({ id, text }) => id === card.id && text.includes('✖ Denied by telegram:1'));
  });

  it('P12: what only waits for a limit is not being sent: a killed gateway would not repeat it', async () => {
    const { telegram, house } = await stage(({ lastText }) => [{ text: `answer to ${lastText}` }]);
    const { outbox } = house.ground.world.store;
    telegram.fault('sendMessage', { retryAfterSeconds: 20 });
    telegram.say(2, 'one');
    await until(
      async () => (await outbox.waiting()).some(({ attempts }) => attempts === 1),
      'the answer waits for the limit',
    );
    // As the next life does it.
    expect(await outbox.recoverInterrupted()).toEqual([]);
    expect(await outbox.waiting()).toMatchObject([{ interrupted: 0 }]);
  });

  it('P12: keeps its answers while Telegram is away, limits, or fails', async () => {
    const { telegram } = await stage(({ lastText }) => [{ text: `answer to ${lastText}` }]);
    telegram.fault('sendMessage', 'server-error');
    telegram.say(2, 'one');
    await telegram.whenSent(({ text }) => text === 'answer to one');
    telegram.fault('sendMessage', { retryAfterSeconds: 1 });
    telegram.say(2, 'two');
    await telegram.whenSent(({ text }) => text === 'answer to two');
    telegram.fault('sendMessage', 'drop-after');
    telegram.say(3, 'three');
    await telegram.whenSent(({ text }) => text === '(repeated) answer to three');
    const texts = telegram.sent.map(({ text }) => text);
    expect(texts).toEqual([
      'answer to one',
      'answer to two',
      'answer to three',
      '(repeated) answer to three',
    ]);
  });
}

describeWith('bubblewrap', () => {
  const open: { close(): Promise<void> }[] = [];
  const houses = useHouses();
  const stage: Stage = async (script, environment) => {
    const opened = await openStage(houses, script, environment);
    open.push(opened.telegram, { close: () => opened.model.stop() });
    return opened;
  };
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  for (const tests of [working, inTrouble]) tests(stage);
});
