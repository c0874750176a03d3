// From a message in Telegram to a file in the chat, through a gateway as an operator starts it.
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { openStage, type StageOptions } from './stage.ts';

const call = (name: string, input: unknown) => ({ call: { name, input } });

/** Writes a program, runs it, mends it, sends what it made. */
const script: StageOptions['script'] = ({ results }) => {
  const steps = [
    [call('write_file', { path: 'sum.sh', content: 'echo $((1 + )\n' })],
    [call('terminal', { command: 'bash sum.sh' })],
    [call('edit_file', { path: 'sum.sh', old_text: '1 + )', new_text: '1 + 2))' })],
    [call('terminal', { command: 'bash sum.sh >out.txt; cat out.txt; uname -n' })],
    [call('send_file', { path: 'out.txt', caption: 'the sum' })],
  ];
  return steps[results.length] ?? [{ text: 'It is in ' }, { text: '**the file**.' }];
};

function wholeWay(environment: () => Readonly<Record<string, string>>): void {
  it('writes a program, runs it, mends it and sends the file', async () => {
    const { telegram, ask, cli } = await openStage({ script, environment: environment() });
    const answer = await ask('Sum 1 and 2, as a file.', ({ text }) => text.includes('It is in the file.'));
    expect(answer.entities).toMatchObject([{ type: 'bold' }]);
    const file = await telegram.whenSent(({ file }) => file !== undefined);
    expect([file.file?.name, Buffer.from(file.file?.bytes ?? []).toString(), file.text]).toEqual([
      'out.txt',
      '3\n',
      'the sum',
    ]);
    expect(telegram.unacknowledged).toBe(0);
    const audit = JSON.stringify(await cli.json('audit', 'list'));
    for (const part of ['bash sum.sh', 'telegram:1001', 'exited 0']) expect(audit).toContain(part);
  });

  it('runs ! commands of the owner through the same door, and of nobody else', async () => {
    const { ask } = await openStage({ script, environment: environment(), users: [1002] });
    const answer = await ask('!echo from-$((40 + 2)); uname -n', ({ text }) => text.includes('from-42'));
    expect(answer.text.split(/\s+/)).not.toContain(hostname());
    const refused = await ask('!echo hello', ({ text }) => /owner/i.test(text), { id: 1002 });
    expect(refused.text).not.toContain('hello\n');
  });
}

describeWith('bubblewrap', () => wholeWay(() => ({ GATEWAY_TERMINAL_BACKEND: 'bubblewrap' })));

describeWith('image-bookworm', address =>
  wholeWay(() => ({
    GATEWAY_TERMINAL_BACKEND: 'docker',
    DOCKER_HOST: address().docker.host,
    TERMINAL_DOCKER_IMAGE: address().image,
    TERMINAL_CONTAINER_MEMORY: '512',
  })),
);
