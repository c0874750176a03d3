// From a message in Telegram to a file in the chat, through a gateway as an operator starts it, on Apptainer.
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../../src/config/environment.ts';
import { describeWith } from '../../services/use-service.ts';
import { openStage, type StageOptions } from '../scenario/stage.ts';
import { USER } from './ground.ts';

const script: StageOptions['script'] = ({ results }) => {
  const steps = [
    [{ call: { name: 'terminal', input: { command: 'seq 3 >out.txt; wc -l out.txt; uname -n' } } }],
    [{ call: { name: 'send_file', input: { path: 'out.txt', caption: 'three lines' } } }],
  ];
  return steps[results.length] ?? [{ text: `Done: ${results[0]}` }];
};

describeWith('apptainer', address => {
  it('runs the command of a message in an instance and sends the file that it made', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'scratch-'));
    await chmod(scratch, 0o755);
    await chown(scratch, USER, USER);
    onTestFinished(() => rm(scratch, { recursive: true }));
    const { telegram, ask } = await openStage({
      script,
      environment: {
        GATEWAY_TERMINAL_BACKEND: 'singularity',
        PATH: `${dirname(address().apptainer)}:${readEnvironment()['PATH'] ?? ''}`,
        TERMINAL_SCRATCH_DIR: scratch,
        TERMINAL_SINGULARITY_IMAGE: address().sif,
      },
    });
    const { text } = await ask('Three lines, please.', message => message.text.includes('Done: '));
    expect(text).toContain('3 out.txt');
    expect(text.split(/\s+/)).not.toContain(hostname());
    const { file } = await telegram.whenSent(message => message.file !== undefined);
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('1\n2\n3\n');
  });
});
