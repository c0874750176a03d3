// The commands of a chat on a real sandbox, as its owner uses them.
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { OWNER, openStage, type StageOptions } from './stage.ts';

const script: StageOptions['script'] = ({ results }) =>
  results.length === 0
    ? [{ call: { name: 'terminal', input: { command: 'echo precious >note.txt; sleep 60 & echo ok' } } }]
    : [{ text: 'Written.' }];

describeWith('bubblewrap', () => {
  it('show and send its files, say what it is, switch its network, and start afresh', async () => {
    const stage = await openStage({ script, environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' } });
    const { telegram, ask, cli } = stage;
    await ask('Write a note.', ({ text }) => text.includes('Written.'));
    expect((await ask('/files', () => true)).text).toContain('note.txt');
    telegram.say(OWNER, '/get note.txt');
    const sent = await telegram.whenSent(({ file }) => file !== undefined);
    expect([sent.file?.name, Buffer.from(sent.file?.bytes ?? []).toString()]).toEqual([
      'note.txt',
      'precious\n',
    ]);
    expect((await ask('/get /etc/passwd', () => true)).text).toMatch(/outside|refused|cannot/i);
    const status = await ask('/status', () => true);
    for (const part of ['bubblewrap', 'container', 'none', 'test-model']) expect(status.text).toContain(part);
    expect((await ask('/sandbox', () => true)).text).toContain('bubblewrap');
    expect((await ask('/network open', () => true)).text).toMatch(/open/);
    expect(await cli.json('sandbox', 'explain', '--as', `telegram:${OWNER.id}`)).toMatchObject({
      network: { value: 'open', origin: 'switched for this session' },
    });
    expect((await ask('/network none', () => true)).text).toMatch(/none/);
    expect((await ask('/nonsense', () => true)).text).toContain('/help');
    expect((await ask('/help', () => true)).text).toContain('/approve');
    await ask('/new anyway', () => true);
    expect((await ask('/files', () => true)).text).not.toContain('note.txt');
  }, 60_000);
});
