// Strangers by the thousand, and the owner at work among them: every word of the owner is answered, no stranger gets in (P1).
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { scaled } from '../../soak.ts';
import { until } from '../../wait.ts';
import { OWNER, openStage, type Stage, type StageOptions } from './stage.ts';

const FLOOD = scaled(4_000, 10_000);
const ROUNDS = 40;
const GROUP = { id: -500, kind: 'group' } as const;

const script: StageOptions['script'] = ({ lastText }) => [{ text: `pong ${lastText.split(' ').at(-1)}` }];

/** Half of them in private, half in a group that the bot is in. */
function flood({ telegram }: Stage, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const stranger = { id: 50_000 + (at % 400), name: `Stranger ${at % 400}` };
    if (at % 2 === 0) telegram.say(stranger, `let me in ${at}`);
    else telegram.say(stranger, `@${telegram.bot.username} let me in ${at}`, { chat: GROUP });
  }
}

describeWith('bubblewrap', () => {
  it(`P1: ${FLOOD} messages of strangers have no effect, and every word of the owner among them is answered`, async () => {
    const stage = await openStage({ script, environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' } });
    const { telegram, cli, model, ask } = stage;
    await ask('ping first', ({ text }) => text === 'pong first');
    const asked = model.requests.length;
    const before = telegram.calls.length;
    const share = FLOOD / ROUNDS;
    for (let round = 0; round < ROUNDS; round++) {
      flood(stage, round * share, (round + 1) * share);
      await ask(`ping ${round}`, ({ text }) => text === `pong ${round}`);
    }
    await until(() => telegram.unacknowledged === 0, 'all messages of strangers are acknowledged');
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
