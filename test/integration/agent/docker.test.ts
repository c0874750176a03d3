// The agent on docker: a task from its first step to the file in the chat, and a cancel that ends what runs (P6).
import { expect, it } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { useGateways } from '../sessions/use-gateways.ts';
import { messagesOf, openCalls, resultsOf, say, stageOn } from './stage.ts';

const terminal = (command: string) => ({ call: { name: 'terminal', input: { command } } });

describeWith('docker-loopback', address => {
  const { started } = useGateways();
  const onDocker = () =>
    started({
      environment: {
        TERMINAL_ENV: 'docker',
        DOCKER_HOST: address().docker.host,
        TERMINAL_DOCKER_IMAGE: address().image,
        TERMINAL_CONTAINER_MEMORY: '256',
      },
    });

  it('writes a program, runs it, mends it and sends the file', async () => {
    await using server = await startModelServer([
      [{ call: { name: 'write_file', input: { path: 'sum.sh', content: 'echo $((1 + )\n' } } }],
      [terminal('bash sum.sh')],
      [{ call: { name: 'edit_file', input: { path: 'sum.sh', old_text: '1 + )', new_text: '1 + 2))' } } }],
      [terminal('bash sum.sh >out.txt; cat out.txt')],
      [{ call: { name: 'send_file', input: { path: 'out.txt' } } }],
      [{ text: 'It is in the file.' }],
    ]);
    const gateway = await onDocker();
    const { agent, asked } = await stageOn(gateway, { server });
    const { events, outcome } = await say(agent, await gateway.session('a'), 'Sum 1 and 2, as a file.');
    expect(outcome).toMatchObject({ kind: 'answered', text: 'It is in the file.' });
    const [file] = events.flatMap(event => (event.type === 'file' ? [event.file] : []));
    expect([file?.name, Buffer.from(file?.bytes ?? []).toString()]).toEqual(['out.txt', '3\n']);
    expect(asked).toEqual([]);
  }, 90_000);

  it('P6: a cancel ends the processes of a tool, and the next message works', async () => {
    await using server = await startModelServer([
      [terminal('echo begun; sleep 297 & sleep 298')],
      [terminal('ps -eo args 2>/dev/null || cat /proc/[0-9]*/cmdline | tr "\\0" " "')],
      [{ text: 'Fine.' }],
    ]);
    const gateway = await onDocker();
    const { agent } = await stageOn(gateway, { server });
    const session = await gateway.session('a');
    const controller = new AbortController();
    const heard = await say(agent, session, 'go', {
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === 'tool-output') controller.abort();
      },
    });
    expect(heard.outcome.kind).toBe('canceled');
    expect(openCalls(await messagesOf(gateway, session.id))).toEqual([]);
    const again = await say(agent, session, 'again');
    expect(again.text).toBe('Fine.');
    expect(resultsOf(again.events).join()).not.toMatch(/sleep 29[78]/);
  }, 90_000);
});
