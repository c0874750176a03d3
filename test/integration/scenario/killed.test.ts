// P10, P12: a gateway as an operator starts it, killed at any moment of its work: the real process, grammY against a double of
// the Bot API, the real agent and a real sandbox.
import { expect, it } from 'vitest';
import { useDraws } from '../../seed.ts';
import { describeWith } from '../../services/use-service.ts';
import { OWNER, openStage, type StageOptions } from './stage.ts';

const KILLS = 6;
/** Within this time after a message: from its arrival to after its answer. */
const LONGEST_MS = 700;

const script: StageOptions['script'] = ({ lastText, messages }) => {
  const [, token = ''] = /(job-\d+)/.exec(lastText) ?? [];
  if (token === '' || messages.at(-1)?.role === 'tool')
    return [{ text: 'Done with ' }, { text: `${token}.` }];
  return [{ call: { name: 'terminal', input: { command: `echo ${token} >>jobs; sleep 0.2; echo ok` } } }];
};

describeWith('bubblewrap', () => {
  it(`P12: killed ${KILLS} times, it answers every message, repeats none unmarked, and does nothing twice`, async () => {
    const stage = await openStage({ script, environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' } });
    const { telegram, ask, kill, start } = stage;
    const { moment } = useDraws();
    await ask('hello', ({ text }) => text.includes('Done with'));
    for (let round = 0; round < KILLS; round++) {
      const before = telegram.sent.length;
      telegram.say(OWNER, `please do job-${round}`);
      await moment((LONGEST_MS * (round + 1)) / KILLS);
      await kill();
      await start();
      const isIts = (text: string): boolean =>
        text.includes(`Done with job-${round}.`) || text.includes('restarted');
      await telegram.whenSent(each => telegram.sent.indexOf(each) >= before && isIts(each.text), {
        timeoutMs: 60_000,
      });
    }
    const jobs = await ask('!sort jobs | uniq -d; echo end', ({ text }) => text.includes('end'));
    // No line stands there twice.
    expect(jobs.text).toMatch(/^end\n/);
    const plain = telegram.sent.map(({ text }) => text).filter(text => text.startsWith('Done with job-'));
    expect(new Set(plain).size).toBe(plain.length);
  }, 240_000);
});
