// Strangers by the thousand, and people who work meanwhile: nobody is held up, and nobody gets in (P1).
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { OWNER, openStage, type Stage, type StageOptions } from './stage.ts';

const FLOOD = 10_000;
const ROUNDS = 40;
const GROUP = { id: -500, kind: 'group' } as const;

const script: StageOptions['script'] = ({ lastText }) => [{ text: `pong ${lastText.split(' ').at(-1)}` }];

async function medianMs({ ask }: Stage, name: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await ask(`ping ${name}${round}`, ({ text }) => text === `pong ${name}${round}`);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

describeWith('bubblewrap', () => {
  it(`P1: ${FLOOD} messages of strangers have no effect, and those who work do not notice`, {
    retry: 2,
    timeout: 120_000,
  }, async () => {
    const stage = await openStage({ script, environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' } });
    const { telegram, cli, model } = stage;
    const quiet = await medianMs(stage, 'quiet');
    const asked = model.requests.length;
    const before = telegram.calls.length;
    let sent = 0;
    const flood = setInterval(() => {
      for (let each = 0; each < 50 && sent < FLOOD; each++, sent++) {
        const from = { id: 50_000 + (sent % 400), name: `Stranger ${sent % 400}` };
        if (sent % 2 === 0) telegram.say(from, `let me in ${sent}`);
        else telegram.say(from, `@${telegram.bot.username} let me in ${sent}`, { chat: GROUP });
      }
    }, 25);
    const busy = await medianMs(stage, 'busy');
    await expect.poll(() => [sent, telegram.unacknowledged], { timeout: 60_000 }).toEqual([FLOOD, 0]);
    clearInterval(flood);
    expect(busy).toBeLessThan(2 * quiet + 10);
    // Only the owner's messages got to the model, into sessions and into runs.
    expect(model.requests.length - asked).toBe(ROUNDS);
    const { sessions } = (await cli.json('session', 'list')) as { sessions: readonly { chat: string }[] }; // our own
    expect(sessions.map(({ chat }) => chat)).toEqual([String(OWNER.id)]);
    const toStrangers = telegram.calls.slice(before).filter(({ params }) => {
      const chat = String(params['chat_id'] ?? '');
      return chat !== '' && chat !== String(OWNER.id);
    });
    expect(toStrangers.every(({ method }) => method === 'sendMessage')).toBe(true);
    expect(toStrangers.some(({ params }) => String(params['chat_id']) === String(GROUP.id))).toBe(false);
    expect(toStrangers.length).toBeLessThanOrEqual(40);
  });
});
