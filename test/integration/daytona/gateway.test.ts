// From a message in Telegram to a file in the chat, through a gateway as an operator starts it, on the daytona backend in
// front of a protocol double.
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { openStage, type StageOptions } from '../scenario/stage.ts';
import { useGround } from './ground.ts';

const script: StageOptions['script'] = ({ results }) => {
  const steps = [
    [{ call: { name: 'terminal', input: { command: 'seq 3 >out.txt; wc -l out.txt; pwd' } } }],
    [{ call: { name: 'send_file', input: { path: 'out.txt', caption: 'three lines' } } }],
  ];
  return steps[results.length] ?? [{ text: `Done: ${results[0]}` }];
};

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: runs the command of a message there and sends the file that it made', async () => {
    const { double, variables } = ground();
    const { telegram, ask } = await openStage({
      script,
      environment: { GATEWAY_TERMINAL_BACKEND: 'daytona', ...variables },
    });
    const { text } = await ask('Three lines, please.', message => message.text.includes('Done: '));
    expect(text).toContain('3 out.txt');
    expect(text).toContain('/workspace');
    expect(text.split(/\s+/)).not.toContain(hostname());
    const { file } = await telegram.whenSent(message => message.file !== undefined);
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('1\n2\n3\n');
    expect(double.boxes.map(({ request }) => request)).toMatchObject([
      { networkBlockAll: true, public: false, autoStopInterval: 70 },
    ]);
  });
});
