// What happens while the agent works, through a gateway as an operator starts it: another message, a stop, an approval, and
// a network that is cut.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostProcessesOf } from '../../conformance/host-processes.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { OWNER, openStage, type StageOptions } from './stage.ts';

const terminal = (command: string) => ({ call: { name: 'terminal', input: { command } } });
const BUBBLEWRAP = { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' };
/** Told apart from whatever else runs on this machine. */
const NAP = 'sleep 4711.5';

/** Works for long when it is told to, and says what it has heard of the person. */
const script: StageOptions['script'] = ({ lastText, results, messages }) => {
  const isOver = results.length > 0 && messages.at(-1)?.role === 'tool';
  if (lastText.startsWith('work') && !isOver)
    return [terminal(`echo begun >${lastText.split(' ')[1]}; ${NAP}`)];
  const words = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  return [{ text: `I heard: ${words.join(' | ')}` }];
};

describeWith('bubblewrap', () => {
  it('a new message ends the run and its command, and is answered with all that was said', async () => {
    const { telegram, ask } = await openStage({ script, environment: BUBBLEWRAP });
    telegram.say(OWNER, 'work one');
    await until(async () => (await hostProcessesOf(NAP)).length > 0, 'the command works');
    const answer = await ask('never mind', ({ text }) => text.includes('I heard:'));
    expect(answer.text).toBe('I heard: work one | never mind');
    const left = await ask(`!cat one; ps -e -o args | grep -c '[s]leep 4711' || echo none`, ({ text }) =>
      text.includes('begun'),
    );
    expect(left.text).toMatch(/begun\s+0/);
  }, 90_000);

  it('/stop ends the run and its command at once', async () => {
    const { telegram, ask } = await openStage({ script, environment: BUBBLEWRAP });
    telegram.say(OWNER, 'work two');
    await telegram.whenSent(({ text }) => text.includes(NAP));
    expect((await ask('/status', () => true)).text).toContain('Now: working');
    expect((await ask('/stop', ({ text }) => /topped/.test(text))).text).toMatch(/Stopped|stopped/);
    await expect
      .poll(async () => (await ask('/status', ({ text }) => text.includes('Now:'))).text)
      .toContain('Now: idle');
    const left = await ask(`!ps -e -o args | grep -c '[s]leep 4711' || true`, ({ text }) =>
      /^\d+\n/.test(text),
    );
    expect(left.text).toMatch(/^0\n/);
    // Nothing looks as if it still went on.
    expect(telegram.sent.map(({ text }) => text)).not.toContainEqual(expect.stringMatching(/ …$/));
  }, 90_000);
});

describeWith('bubblewrap', () => {
  it('P8: an approval during the run lets exactly that command go on', async () => {
    let folder = '';
    const stage = await openStage({
      environment: { GATEWAY_TERMINAL_BACKEND: 'local', TERMINAL_CWD: '/tmp' },
      script: ({ results }) =>
        results.length === 0 ? [terminal(`rm -rf ${folder}`)] : [{ text: `Result: ${results.join()}` }],
    });
    folder = join(stage.userHome, 'old');
    mkdirSync(folder);
    stage.telegram.say(OWNER, 'Clean up.');
    const card = await stage.telegram.whenSent(({ buttons }) => buttons.length > 0);
    expect([existsSync(folder), card.text]).toEqual([true, expect.stringContaining(`rm -rf ${folder}`)]);
    expect(card.text).toContain(OWNER.name);
    const once = card.buttons.flat().find(({ label }) => label === 'Once');
    stage.telegram.press(OWNER, card.id, once?.data ?? '');
    await stage.telegram.whenSent(({ text }) => text.startsWith('Result:'));
    expect(existsSync(folder)).toBe(false);
    await stage.telegram.whenSent(({ id, text }) => id === card.id && text.includes('✔ Approved (once)'));
  }, 90_000);

  it('P8: what was allowed for good is asked about again as soon as it is taken back', async () => {
    const command = 'rm -rf /var/lib/hermes-test-nothing';
    const { telegram, ask, cli } = await openStage({
      environment: { GATEWAY_TERMINAL_BACKEND: 'local', TERMINAL_CWD: '/tmp' },
      config: `command_allowlist:\n  - ${command}\n`,
      script: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? [{ text: 'That was done.' }] : [terminal(command)],
    });
    await ask('Clean up.', ({ text }) => text === 'That was done.');
    expect(telegram.sent.filter(({ buttons }) => buttons.length > 0)).toEqual([]);
    expect(await cli.json('approvals', 'revoke', '1')).toMatchObject({ entry: command });
    const card = await ask('Again.', ({ buttons }) => buttons.length > 0);
    expect(card.text).toContain(command);
    const deny = card.buttons.flat().find(({ label }) => label === 'Deny');
    telegram.press(OWNER, card.id, deny?.data ?? '');
    await telegram.whenSent(({ id, text }) => id === card.id && text.includes('✖ Denied'));
  }, 90_000);

  it('P12: a network that is cut and mended loses nothing and repeats nothing unmarked', async () => {
    const { telegram, model } = await openStage({
      environment: BUBBLEWRAP,
      script: ({ lastText }) => [{ text: `answer to ${lastText}` }],
    });
    telegram.say(OWNER, 'before');
    await telegram.whenSent(({ text }) => text === 'answer to before');
    telegram.cut();
    // It waits at the service; nobody can fetch it.
    telegram.say(OWNER, 'meanwhile');
    telegram.restore();
    await telegram.whenSent(({ text }) => text.endsWith('answer to meanwhile'));
    const asked = model.requests.length;
    telegram.say(OWNER, 'during');
    await model.arrived(asked + 1);
    telegram.cut();
    telegram.restore();
    await telegram.whenSent(({ text }) => text.endsWith('answer to during'));
    telegram.say(OWNER, 'after');
    await telegram.whenSent(({ text }) => text.endsWith('answer to after'));
    const unmarked = telegram.sent.map(({ text }) => text).filter(text => text.startsWith('answer'));
    expect(new Set(unmarked).size).toBe(unmarked.length);
    expect(telegram.unacknowledged).toBe(0);
  }, 120_000);
});
