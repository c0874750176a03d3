// From a message in Telegram to a file in the chat, through a gateway as an operator starts it, on the modal backend in
// front of a protocol double.
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { OWNER, openStage, type StageOptions } from '../scenario/stage.ts';
import { useGround } from './ground.ts';

const script: StageOptions['script'] = ({ results }) => {
  const steps = [
    [{ call: { name: 'terminal', input: { command: 'seq 3 >out.txt; wc -l out.txt; pwd' } } }],
    [{ call: { name: 'send_file', input: { path: 'out.txt', caption: 'three lines' } } }],
  ];
  return steps[results.length] ?? [{ text: `Done: ${results[0]}` }];
};

/** Runs what the person says. */
const shell: StageOptions['script'] = ({ lastText, results }) =>
  results.length === 0
    ? [{ call: { name: 'terminal', input: { command: lastText.split('\n').at(-1) ?? '' } } }]
    : [{ text: `Done: ${results[0]}` }];

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: keeps files over a suspension, tells the cost, and says when a snapshot is lost', async () => {
    const { double, settings } = ground();
    const { HOME: _home, HERMES_HOME: _hermesHome, ...cloud } = settings;
    const { ask, cli, everythingOut } = await openStage({
      script: shell,
      environment: { GATEWAY_TERMINAL_BACKEND: 'modal', ...cloud },
    });
    const answer = (command: string) => ask(command, ({ text }) => text.includes('Done: '));
    const suspend = async (): Promise<string> => {
      const { sandboxes } = (await cli.json('sandbox', 'list')) as { sandboxes: { id: string }[] }; // our own words
      const [id = ''] = sandboxes.map(each => each.id);
      await cli.text('sandbox', 'suspend', id);
      return id;
    };
    await answer('echo kept >note');
    const id = await suspend();
    expect(double.living()).toEqual([]);
    const [snapshot = ''] = double.snapshots();
    expect(await cli.json('sandbox', 'inspect', id)).toMatchObject({ state: 'suspended', name: snapshot });
    expect((await answer('cat note')).text).toContain('kept');
    expect(await cli.text('status')).toMatch(/cost +modal: \d+ core s, \d+ GiB s in 1 sandbox/);
    await suspend();
    for (const image of double.snapshots()) await double.removeImage(image);
    expect((await answer('cat note || echo nothing')).text).toContain('nothing');
    expect(await everythingOut()).toContain('The sandbox was reset');
    expect(double.living()).toHaveLength(1);
  });

  it('protocol double: killed while a sandbox is made, it leaves none behind that nobody owns', async () => {
    const { double, settings } = ground();
    const { HOME: _home, HERMES_HOME: _hermesHome, ...cloud } = settings;
    const { telegram, cli, kill, start } = await openStage({
      script: shell,
      environment: { GATEWAY_TERMINAL_BACKEND: 'modal', ...cloud },
    });
    for (const sandbox of double.living()) await double.remove(sandbox.name);
    const before = double.faults.count('SandboxCreateV2');
    const going = Promise.withResolvers<void>();
    double.faults.add('SandboxCreateV2', { heldBy: going.promise });
    telegram.say(OWNER, 'echo hello');
    await expect.poll(() => double.faults.count('SandboxCreateV2')).toBeGreaterThan(before);
    await kill();
    // The cloud makes it all the same.
    going.resolve();
    await expect.poll(() => double.living().length).toBe(1);
    const [orphan] = double.living();
    await start();
    await expect.poll(() => double.living().some(({ id }) => id === orphan?.id)).toBe(false);
    const { sandboxes } = (await cli.json('sandbox', 'list')) as { sandboxes: { id: string }[] }; // our own words
    const owned = sandboxes.map(({ id }) => `hermes-${id}`);
    expect(double.living().filter(({ name }) => !owned.includes(name))).toEqual([]);
  });

  it('protocol double: runs the command of a message there and sends the file that it made', async () => {
    const { double, settings } = ground();
    const { HOME: _home, HERMES_HOME: _hermesHome, ...cloud } = settings;
    const { telegram, ask } = await openStage({
      script,
      environment: { GATEWAY_TERMINAL_BACKEND: 'modal', ...cloud },
    });
    const { text } = await ask('Three lines, please.', message => message.text.includes('Done: '));
    expect(text).toContain('3 out.txt');
    expect(text).toContain('/workspace');
    expect(text.split(/\s+/)).not.toContain(hostname());
    const { file } = await telegram.whenSent(message => message.file !== undefined);
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('1\n2\n3\n');
    expect(double.living()).toMatchObject([{ network: 'blocked' }]);
  });
});
